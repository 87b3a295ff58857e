import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { cache, vscodePaths } from '#rig/paths.mjs';
import { installAgent, type Pinned } from './install';
import { startModelServer, type ModelServer } from './modelServer';
import type { Scripts } from './script';

/** `qwen` reads and writes files through the client, `claude` by itself. */
export type RealAgentKind = 'qwen' | 'claude';

export interface RealAgent {
  /** What goes into the setting `portside.agents`. */
  setting: { name: string; command: string; args: string[]; env: Record<string, string> };
  modelServer: ModelServer;
  dispose(): Promise<void>;
}

interface Recipe extends Pinned {
  title: string;
  /** In the package. */
  entry: string;
  args: readonly string[];
  /** Files of its home folder: no account, nothing sent, nothing updated, and it asks before it edits. */
  home: Readonly<Record<string, object>>;
  /** Empty values take away what a developer's own environment may say. */
  env(modelUrl: string, home: string): Record<string, string>;
}

const recipes: Readonly<Record<RealAgentKind, Recipe>> = {
  qwen: {
    name: 'qwen-code',
    title: 'Qwen Code',
    package: '@qwen-code/qwen-code',
    version: '0.24.4',
    entry: 'cli-entry.js',
    args: ['--acp'],
    home: {
      '.qwen/settings.json': {
        security: { auth: { selectedType: 'openai' } },
        tools: { approvalMode: 'default' },
        privacy: { usageStatisticsEnabled: false },
        telemetry: { enabled: false },
        general: { enableAutoUpdate: false },
      },
    },
    env: url => ({
      OPENAI_API_KEY: 'no-key-needed',
      OPENAI_BASE_URL: `${url}/v1`,
      OPENAI_MODEL: 'scripted-model',
      QWEN_TELEMETRY_ENABLED: 'false',
      NO_BROWSER: 'true',
    }),
  },
  claude: {
    name: 'claude-agent-acp',
    title: 'Claude Agent',
    package: '@agentclientprotocol/claude-agent-acp',
    version: '0.101.0',
    entry: 'dist/index.js',
    args: [],
    // A mode that never asks is refused by the agent itself for root: offered or not depends on the machine.
    home: {
      '.claude/settings.json': { permissions: { defaultMode: 'default', disableBypassPermissionsMode: 'disable' } },
    },
    env: (url, home) => ({
      CLAUDE_CONFIG_DIR: path.join(home, '.claude'),
      ANTHROPIC_BASE_URL: url,
      ANTHROPIC_API_KEY: 'no-key-needed',
      ANTHROPIC_AUTH_TOKEN: '',
      CLAUDE_CODE_USE_BEDROCK: '',
      CLAUDE_CODE_USE_VERTEX: '',
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      DISABLE_TELEMETRY: '1',
      DISABLE_ERROR_REPORTING: '1',
      DISABLE_AUTOUPDATER: '1',
      NO_BROWSER: '1',
    }),
  },
};

/**
 * Installs a real agent (once) and gives all that is needed to start it: it has a home folder of its own and thinks
 * with a scripted model on loopback, so it needs no account and no network.
 */
export async function startRealAgent(kind: RealAgentKind, scripts: Scripts): Promise<RealAgent> {
  const recipe = recipes[kind];
  // The agents want Node 22 or later, which the developer's need not be; the rig brings one with its VS Code.
  const { node } = vscodePaths();
  const folder = await installAgent(recipe, node, cache);
  const home = await mkdtemp(path.join(tmpdir(), `portside-${kind}-`));
  for (const [file, content] of Object.entries(recipe.home)) {
    const target = path.join(home, file);
    await mkdir(path.dirname(target), { recursive: true });
    await writeFile(target, JSON.stringify(content));
  }
  const modelServer = await startModelServer(scripts);
  return {
    setting: {
      name: recipe.title,
      command: node,
      args: [path.join(folder, 'node_modules', recipe.package, recipe.entry), ...recipe.args],
      env: { HOME: home, USERPROFILE: home, NO_PROXY: '127.0.0.1', ...recipe.env(modelServer.url, home) },
    },
    modelServer,
    async dispose() {
      await modelServer.close();
      await rm(home, { recursive: true, force: true });
    },
  };
}
