import { spawn } from 'node:child_process';
import { existsSync, realpathSync } from 'node:fs';
import { mkdir, mkdtemp, open, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

export interface Pinned {
  /** Folder of the cache. */
  name: string;
  package: string;
  version: string;
}

/**
 * Installs one package of one version from npm into `<cache>/agents/<name>-<version>` and gives that folder. What is
 * there already is used as it is. Throws with npm's own text when npm fails.
 *
 * npm runs under `node`, because npm quietly takes an older version of a package whose `engines` do not fit the Node
 * that it runs on.
 */
export async function installAgent(pinned: Pinned, node: string, cache: string): Promise<string> {
  const agents = path.join(cache, 'agents');
  const target = path.join(agents, `${pinned.name}-${pinned.version}`);
  if (existsSync(target)) return target;
  await mkdir(agents, { recursive: true });
  return withLock(`${target}.lock`, async () => {
    if (existsSync(target)) return target;
    const temporary = await mkdtemp(path.join(agents, '.new-'));
    try {
      await writeFile(path.join(temporary, 'package.json'), '{ "private": true }\n');
      await npmInstall(node, temporary, `${pinned.package}@${pinned.version}`);
      await rename(temporary, target).catch(error => {
        if (!existsSync(target)) throw error;
      });
    } finally {
      await rm(temporary, { recursive: true, force: true });
    }
    return target;
  });
}

/** Holds `file`, which names the process that holds it, while `task` runs; a lock of a dead process does not count. */
async function withLock<T>(file: string, task: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      const handle = await open(file, 'wx');
      await handle.writeFile(String(process.pid));
      await handle.close();
      break;
    } catch (error) {
      if (codeOf(error) !== 'EEXIST') throw error;
      const holder = Number(await readFile(file, 'utf8').catch(() => ''));
      if (holder > 0 && !isAlive(holder)) await rm(file, { force: true });
      else await delay(200);
    }
  }
  try {
    return await task();
  } finally {
    await rm(file, { force: true });
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return codeOf(error) !== 'ESRCH';
  }
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

async function npmInstall(node: string, folder: string, spec: string): Promise<void> {
  const args = ['install', '--prefix', folder, '--ignore-scripts', '--no-audit', '--no-fund', '--save-exact', spec];
  const npm = spawn(node, [npmScript(), ...args], {
    cwd: folder,
    env: npmEnvironment(),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  for (const stream of [npm.stdout, npm.stderr]) {
    stream.setEncoding('utf8').on('data', (piece: string) => {
      text += piece;
    });
  }
  const code = await new Promise<number | null>((resolve, reject) => npm.once('error', reject).once('close', resolve));
  if (code !== 0) throw new Error(`npm install ${spec} ended with ${code}:\n${text}`);
}

/** npm's own script, to run it under another Node than the one it came with. */
function npmScript(): string {
  const script = path.join('npm', 'bin', 'npm-cli.js');
  const beside = path.dirname(process.execPath);
  const places = [
    process.env['npm_execpath'] ?? '',
    ...(process.env['PATH'] ?? '').split(path.delimiter).map(folder => path.join(folder, 'npm')),
    path.join(beside, '..', 'lib', 'node_modules', script),
    path.join(beside, 'node_modules', script),
  ];
  const found = places
    .filter(existsSync)
    .map(place => realpathSync(place))
    .find(place => place.endsWith(script));
  if (!found) throw new Error(`npm is not found: none of ${places.join(', ')} is npm-cli.js`);
  return found;
}

/** What an outer `npm test` tells its scripts about its own project must not reach an npm for another folder. */
function npmEnvironment(): NodeJS.ProcessEnv {
  const ofTheOuter =
    /^(npm_(lifecycle|package|command|config_(local_prefix|prefix|global_prefix))|INIT_CWD|NODE_OPTIONS)/;
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !ofTheOuter.test(name)));
}
