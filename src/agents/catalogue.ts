/** How an agent comes onto a machine that does not have it. */
export type Install =
  | {
      kind: 'npm';
      package: string;
      /** Exact; what was tried. */
      version: string;
      /** Installed size, about. */
      megabytes?: number;
      /** Packages (`name@version`) that it needs beside it. */
      with?: readonly string[];
    }
  | { kind: 'uv'; package: string; version: string }
  /** The registry knows the archives of this entry. */
  | { kind: 'binary' }
  /** Only its maker's own instructions. */
  | { kind: 'instructions'; url: string };

/** An agent that Portside knows by name. */
export interface CatalogueAgent {
  id: string;
  name: string;
  /** Commands that speak ACP with `args`; the first that is found serves. */
  commands: readonly string[];
  /** Those of `commands` that other programs are called as well: a hit is shown as unsure. */
  ambiguous?: readonly string[];
  args: readonly string[];
  env?: Readonly<Record<string, string>>;
  /** Commands that speak no ACP, but show that the user has the agent: `install` is then its adapter. */
  companions?: readonly string[];
  install: Install;
  homePage: string;
  /** SPDX, or `proprietary`. */
  licence: string;
  /** Lowest version of the command that speaks ACP as written here. */
  minVersion?: string;
  /** Lowest Node version that the agent runs on. */
  minNode?: string;
  /** Its name in the public registry, when it differs from `id`. */
  registryId?: string;
}

const npm = (name: string, version: string, megabytes?: number): Install => ({
  kind: 'npm',
  package: name,
  version,
  ...(megabytes ? { megabytes } : {}),
});
const binary: Install = { kind: 'binary' };
const instructions = (url: string): Install => ({ kind: 'instructions', url });

/** In the order in which they are offered. */
export const catalogue: readonly CatalogueAgent[] = [
  {
    id: 'claude',
    name: 'Claude Code',
    commands: ['claude-agent-acp', 'claude-code-acp'],
    args: [],
    companions: ['claude'],
    install: npm('@agentclientprotocol/claude-agent-acp', '0.101.0', 402),
    homePage: 'https://github.com/agentclientprotocol/claude-agent-acp',
    licence: 'Apache-2.0',
    minNode: '22.0.0',
    registryId: 'claude-acp',
  },
  {
    id: 'codex',
    name: 'Codex',
    commands: ['codex-acp'],
    args: [],
    companions: ['codex'],
    install: npm('@agentclientprotocol/codex-acp', '2.6.0', 457),
    homePage: 'https://github.com/agentclientprotocol/codex-acp',
    licence: 'Apache-2.0',
    registryId: 'codex-acp',
  },
  {
    id: 'gemini',
    name: 'Gemini CLI',
    commands: ['gemini'],
    args: ['--acp'],
    install: npm('@google/gemini-cli', '0.61.0', 100),
    homePage: 'https://github.com/google-gemini/gemini-cli',
    licence: 'Apache-2.0',
    minNode: '20.0.0',
  },
  {
    id: 'copilot',
    name: 'GitHub Copilot',
    commands: ['copilot'],
    args: ['--acp', '--stdio'],
    install: npm('@github/copilot', '1.0.102', 189),
    homePage: 'https://github.com/features/copilot/cli',
    licence: 'proprietary',
    registryId: 'github-copilot-cli',
  },
  {
    id: 'cursor',
    name: 'Cursor Agent',
    commands: ['cursor-agent', 'agent'],
    ambiguous: ['agent'],
    args: ['acp'],
    install: binary,
    homePage: 'https://cursor.com/docs/cli/acp',
    licence: 'proprietary',
  },
  {
    id: 'opencode',
    name: 'OpenCode',
    commands: ['opencode'],
    args: ['acp'],
    install: npm('opencode-ai', '1.18.33', 354),
    homePage: 'https://opencode.ai',
    licence: 'MIT',
  },
  {
    id: 'qwen',
    name: 'Qwen Code',
    commands: ['qwen'],
    args: ['--acp'],
    install: npm('@qwen-code/qwen-code', '0.24.4', 152),
    homePage: 'https://github.com/QwenLM/qwen-code',
    licence: 'Apache-2.0',
    minNode: '22.0.0',
    registryId: 'qwen-code',
  },
  {
    id: 'goose',
    name: 'Goose',
    commands: ['goose'],
    args: ['acp'],
    install: binary,
    homePage: 'https://github.com/block/goose',
    licence: 'Apache-2.0',
  },
  {
    id: 'kimi',
    name: 'Kimi CLI',
    commands: ['kimi'],
    args: ['acp'],
    install: binary,
    homePage: 'https://github.com/MoonshotAI/kimi-cli',
    licence: 'MIT',
  },
  {
    id: 'vibe',
    name: 'Mistral Vibe',
    commands: ['vibe-acp'],
    args: [],
    install: binary,
    homePage: 'https://github.com/mistralai/mistral-vibe',
    licence: 'Apache-2.0',
    registryId: 'mistral-vibe',
  },
  {
    id: 'droid',
    name: 'Factory Droid',
    commands: ['droid'],
    args: ['exec', '--output-format', 'acp'],
    env: { DROID_DISABLE_AUTO_UPDATE: 'true', FACTORY_DROID_AUTO_UPDATE_ENABLED: 'false' },
    install: npm('droid', '0.215.0', 243),
    homePage: 'https://factory.ai/product/cli',
    licence: 'proprietary',
    registryId: 'factory-droid',
  },
  {
    id: 'auggie',
    name: 'Augment Code',
    commands: ['auggie'],
    args: ['--acp'],
    env: { AUGMENT_DISABLE_AUTO_UPDATE: '1' },
    install: npm('@augmentcode/auggie', '0.36.0', 39),
    homePage: 'https://www.augmentcode.com',
    licence: 'proprietary',
    minNode: '20.0.0',
  },
  {
    id: 'qoder',
    name: 'Qoder CLI',
    commands: ['qodercli'],
    args: ['--acp'],
    install: npm('@qoder-ai/qodercli', '1.1.52', 92),
    homePage: 'https://qoder.com',
    licence: 'proprietary',
    minNode: '20.0.0',
  },
  {
    id: 'kiro',
    name: 'Kiro',
    commands: ['kiro-cli'],
    args: ['acp'],
    install: instructions('https://kiro.dev/cli'),
    homePage: 'https://kiro.dev',
    licence: 'proprietary',
  },
  {
    id: 'codebuddy',
    name: 'CodeBuddy',
    commands: ['codebuddy'],
    args: ['--acp'],
    install: instructions('https://www.codebuddy.ai/cli'),
    homePage: 'https://www.codebuddy.ai',
    licence: 'proprietary',
    registryId: 'codebuddy-code',
  },
  {
    id: 'openclaw',
    name: 'OpenClaw',
    commands: ['openclaw'],
    args: ['acp'],
    install: npm('openclaw', '2026.9.6', 647),
    homePage: 'https://openclaw.ai',
    licence: 'MIT',
    minNode: '24.16.0',
  },
  {
    id: 'nanobot',
    name: 'Nano Bot',
    commands: ['nanobot'],
    args: ['--experimental-acp'],
    install: instructions('https://github.com/HKUDS/nanobot'),
    homePage: 'https://github.com/HKUDS/nanobot',
    licence: 'MIT',
  },
  {
    id: 'cline',
    name: 'Cline',
    commands: ['cline'],
    args: ['--acp'],
    install: npm('cline', '3.0.65', 434),
    homePage: 'https://cline.bot',
    licence: 'Apache-2.0',
    minVersion: '3.0.0',
  },
  {
    id: 'pi',
    name: 'Pi',
    commands: ['pi-acp'],
    args: [],
    companions: ['pi'],
    install: {
      kind: 'npm',
      package: 'pi-acp',
      version: '0.0.34',
      megabytes: 175,
      with: ['@earendil-works/pi-coding-agent@1.6.0'],
    },
    homePage: 'https://github.com/svkozak/pi-acp',
    licence: 'MIT',
    minNode: '20.0.0',
    registryId: 'pi-acp',
  },
  {
    id: 'kilo',
    name: 'Kilo',
    commands: ['kilo'],
    args: ['acp'],
    install: npm('@kilocode/cli', '7.7.9', 228),
    homePage: 'https://kilo.ai',
    licence: 'MIT',
  },
  {
    id: 'nanocoder',
    name: 'Nanocoder',
    commands: ['nanocoder'],
    args: ['--acp'],
    install: npm('@nanocollective/nanocoder', '1.30.0', 308),
    homePage: 'https://github.com/Nano-Collective/nanocoder',
    licence: 'MIT',
    minNode: '22.0.0',
  },
  {
    id: 'grok',
    name: 'Grok Build',
    commands: ['grok'],
    ambiguous: ['grok'],
    args: ['agent', 'stdio'],
    install: npm('@xai-official/grok', '1.0.8'),
    homePage: 'https://x.ai/cli',
    licence: 'proprietary',
    registryId: 'grok-build',
  },
  {
    id: 'amp',
    name: 'Amp',
    commands: ['amp-acp'],
    args: [],
    companions: ['amp'],
    install: binary,
    homePage: 'https://github.com/tao12345666333/amp-acp',
    licence: 'Apache-2.0',
    registryId: 'amp-acp',
  },
  {
    id: 'devin',
    name: 'Devin',
    commands: ['devin'],
    args: ['acp'],
    install: binary,
    homePage: 'https://docs.devin.ai/cli',
    licence: 'proprietary',
  },
  {
    id: 'junie',
    name: 'Junie',
    commands: ['junie'],
    args: ['--acp=true'],
    install: binary,
    homePage: 'https://junie.jetbrains.com',
    licence: 'proprietary',
  },
  {
    id: 'fastAgent',
    name: 'fast-agent',
    commands: ['fast-agent-acp'],
    args: ['-x'],
    env: { FAST_AGENT_MODEL: 'codexplan' },
    install: { kind: 'uv', package: 'fast-agent-acp', version: '0.10.1' },
    homePage: 'https://fast-agent.ai',
    licence: 'Apache-2.0',
    registryId: 'fast-agent',
  },
  {
    id: 'autohand',
    name: 'Autohand Code',
    commands: ['autohand-acp'],
    args: [],
    companions: ['autohand'],
    install: npm('@autohandai/autohand-acp', '0.2.1'),
    homePage: 'https://www.autohand.ai/cli',
    licence: 'Apache-2.0',
  },
  {
    id: 'cortex',
    name: 'Cortex Code',
    commands: ['cortex'],
    ambiguous: ['cortex'],
    args: ['acp', 'serve'],
    install: binary,
    homePage: 'https://docs.snowflake.com/en/user-guide/cortex-code/cortex-code',
    licence: 'proprietary',
    registryId: 'cortex-code',
  },
  {
    id: 'corust',
    name: 'Corust Agent',
    commands: ['corust-agent-acp'],
    args: [],
    install: binary,
    homePage: 'https://github.com/Corust-ai/corust-agent-release',
    licence: 'GPL-3.0-or-later',
    registryId: 'corust-agent',
  },
  {
    id: 'copilotLanguageServer',
    name: 'GitHub Copilot Language Server',
    commands: ['copilot-language-server'],
    args: ['--acp'],
    install: npm('@github/copilot-language-server', '1.539.0'),
    homePage: 'https://github.com/github/copilot-language-server-release',
    licence: 'proprietary',
    registryId: 'github-copilot',
  },
  {
    id: 'agoragentic',
    name: 'Agoragentic',
    commands: ['agoragentic-mcp'],
    args: ['--acp'],
    install: npm('agoragentic-mcp', '1.3.0'),
    homePage: 'https://agoragentic.com',
    licence: 'MIT',
    registryId: 'agoragentic-acp',
  },
  {
    id: 'crow',
    name: 'crow-cli',
    commands: ['crow-cli'],
    args: ['acp'],
    install: binary,
    homePage: 'https://crow-ai.dev',
    licence: 'Apache-2.0',
    registryId: 'crow-cli',
  },
  {
    id: 'deepagents',
    name: 'DeepAgents',
    commands: ['deepagents-acp'],
    args: [],
    install: npm('deepagents-acp', '0.1.7'),
    homePage: 'https://github.com/langchain-ai/deepagentsjs',
    licence: 'MIT',
  },
  {
    id: 'dimcode',
    name: 'DimCode',
    commands: ['dimcode', 'dim'],
    ambiguous: ['dim'],
    args: ['acp'],
    install: npm('dimcode', '0.3.18'),
    homePage: 'https://dimcode.dev/docs/acp.html',
    licence: 'proprietary',
  },
  {
    id: 'dirac',
    name: 'Dirac',
    commands: ['dirac', 'dirac-cli'],
    args: ['--acp'],
    install: npm('dirac-cli', '0.4.37'),
    homePage: 'https://dirac.run',
    licence: 'Apache-2.0',
  },
  {
    id: 'glm',
    name: 'GLM Agent',
    commands: ['glm-acp-agent'],
    args: [],
    install: npm('glm-acp-agent', '1.6.0'),
    homePage: 'https://github.com/stefandevo/glm-acp-agent',
    licence: 'Apache-2.0',
    registryId: 'glm-acp-agent',
  },
  {
    id: 'harn',
    name: 'Harn',
    commands: ['harn'],
    args: ['serve', 'acp'],
    install: binary,
    homePage: 'https://harnlang.com',
    licence: 'Apache-2.0',
  },
  {
    id: 'minion',
    name: 'Minion Code',
    commands: ['minion-code'],
    args: ['acp'],
    install: { kind: 'uv', package: 'minion-code', version: '0.1.44' },
    homePage: 'https://github.com/femto/minion-code',
    licence: 'AGPL-3.0',
    registryId: 'minion-code',
  },
  {
    id: 'nova',
    name: 'Nova',
    commands: ['nova'],
    ambiguous: ['nova'],
    args: ['acp'],
    install: npm('@compass-ai/nova', '1.1.37'),
    homePage: 'https://github.com/Compass-Agentic-Platform/nova',
    licence: 'proprietary',
  },
  {
    id: 'poolside',
    name: 'Poolside',
    commands: ['pool'],
    ambiguous: ['pool'],
    args: ['acp'],
    install: binary,
    homePage: 'https://poolside.ai',
    licence: 'proprietary',
  },
  {
    id: 'sigit',
    name: 'siGit Code',
    commands: ['sigit'],
    args: [],
    install: npm('@smbcloud/sigit', '1.5.2'),
    homePage: 'https://github.com/getsigit/sigit',
    licence: 'Apache-2.0',
  },
  {
    id: 'stakpak',
    name: 'Stakpak',
    commands: ['stakpak'],
    args: ['acp'],
    install: binary,
    homePage: 'https://github.com/stakpak/agent',
    licence: 'Apache-2.0',
  },
  {
    id: 'vtcode',
    name: 'VT Code',
    commands: ['vtcode'],
    args: ['acp'],
    env: { VT_ACP_ENABLED: '1', VT_ACP_ZED_ENABLED: '1' },
    install: binary,
    homePage: 'https://github.com/vinhnx/VTCode',
    licence: 'MIT',
  },
];

/** Every command that detection has to look for, each once. */
export const knownCommands: readonly string[] = [
  ...new Set(catalogue.flatMap(agent => [...agent.commands, ...(agent.companions ?? [])])),
];

/**
 * The catalogue's agent behind a way of starting one: by id, by the registry's id, by the command's name, or by the npm
 * package among the arguments (`npx -y @google/gemini-cli --acp`). Undefined for a stranger.
 */
export function identify(launch: {
  agentId?: string;
  command?: string;
  args?: readonly string[];
}): CatalogueAgent | undefined {
  const { agentId, command = '', args = [] } = launch;
  const program = programName(command);
  const packages = new Set(['npx', 'bunx', 'pnpm', 'yarn', 'npm'].includes(program) ? args.map(packageName) : []);
  return (
    catalogue.find(({ id, registryId }) => agentId !== undefined && (id === agentId || registryId === agentId)) ??
    catalogue.find(({ commands, companions = [] }) => commands.includes(program) || companions.includes(program)) ??
    catalogue.find(({ install }) => install.kind === 'npm' && packages.has(install.package))
  );
}

/** `C:\\bin\\gemini.CMD` -> `gemini`. */
export function programName(command: string): string {
  const base = command.slice(Math.max(command.lastIndexOf('/'), command.lastIndexOf('\\')) + 1);
  return base.replace(/\.(exe|cmd|bat|com|ps1)$/i, '');
}

/** `@scope/name@1.2.3` -> `@scope/name`. */
export function packageName(specifier: string): string {
  const versionAt = specifier.indexOf('@', 1);
  return versionAt < 0 ? specifier : specifier.slice(0, versionAt);
}
