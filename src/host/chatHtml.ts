/** Addresses and rules of one load of the webview. */
export interface ChatPage {
  script: string;
  style: string;
  /** Where the webview's own files come from. */
  source: string;
  /** New for each load. */
  nonce: string;
}

/**
 * The page of the chat view. Nothing is loaded but the extension's own files, no inline script or style runs, and text
 * becomes HTML through no other policy than that of the component toolkit.
 */
export function chatHtml({ script, style, source, nonce }: ChatPage): string {
  const policy = [
    "default-src 'none'",
    `script-src 'nonce-${nonce}' ${source}`,
    `style-src ${source}`,
    `img-src ${source} data:`,
    `font-src ${source}`,
    "require-trusted-types-for 'script'",
    'trusted-types fast-html',
  ].join('; ');
  return `<!DOCTYPE html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta http-equiv="Content-Security-Policy" content="${policy}" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>Portside</title>
    <link rel="stylesheet" href="${style}" />
  </head>
  <body>
    <script type="module" nonce="${nonce}" src="${script}"></script>
  </body>
</html>
`;
}
