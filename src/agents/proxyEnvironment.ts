/** The user's network settings, as the editor has them. */
export interface ProxySettings {
  /** `http.proxy`; empty when there is none. */
  proxy?: string;
  /** `http.noProxy`: hosts that are reached directly. */
  noProxy?: readonly string[];
}

/**
 * The variables to add so that a program uses the editor's proxy. A variable that the environment has already, in
 * either spelling, is left alone. `NODE_EXTRA_CA_CERTS` needs no addition: agents inherit it.
 */
export function proxyEnvironment(
  env: Readonly<Record<string, string | undefined>>,
  settings: ProxySettings,
): Record<string, string> {
  const present = new Set(Object.keys(env).map(name => name.toUpperCase()));
  const wanted = {
    HTTP_PROXY: settings.proxy,
    HTTPS_PROXY: settings.proxy,
    NO_PROXY: settings.noProxy?.join(','),
  };
  const added: Record<string, string> = {};
  for (const [name, value] of Object.entries(wanted)) {
    if (!value || present.has(name)) continue;
    added[name] = value;
    added[name.toLowerCase()] = value;
  }
  return added;
}
