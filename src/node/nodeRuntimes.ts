import { execFile } from 'node:child_process';
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { compareVersions, readVersion, satisfies, type Version } from '../base/versions';
import type { CommandSearch } from './which';

/** A Node on the machine. */
export interface NodeRuntime {
  path: string;
  version: Version;
}

const asked = new Map<string, Promise<Version | undefined>>();

/**
 * All Nodes along the folders, newest first; of equal ones the first. A folder of a version manager tells the version by
 * its name; the others are asked, once per file and change of it.
 */
export async function findNodes(
  search: CommandSearch,
  folders: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<NodeRuntime[]> {
  const files = await search.findAll('node', folders);
  const distinct = files.filter((file, at) => files.findIndex(({ realPath }) => realPath === file.realPath) === at);
  const runtimes = await Promise.all(
    distinct.map(async file => {
      const version = versionInPath(file.realPath) ?? (await versionOf(file.path, env));
      return version ? [{ path: file.path, version }] : [];
    }),
  );
  return runtimes.flat().sort((a, b) => compareVersions(b.version, a.version));
}

/** The version in the folder of a version manager: `.../node/v22.1.0/bin/node`. */
export function versionInPath(file: string): Version | undefined {
  const folder = file.split(/[\\/]/).findLast(part => /^v?\d+\.\d+\.\d+$/.test(part));
  return folder === undefined ? undefined : readVersion(folder);
}

/**
 * What a program answers to `--version`, within 2 s; undefined when it says nothing of that kind. Remembered until the
 * file changes.
 */
export async function versionOf(file: string, env: NodeJS.ProcessEnv): Promise<Version | undefined> {
  const { mtimeMs, size } = await stat(file).catch(() => ({ mtimeMs: 0, size: 0 }));
  const key = `${file} ${mtimeMs} ${size}`;
  const known = asked.get(key) ?? askVersion(file, env);
  asked.set(key, known);
  return known;
}

function askVersion(file: string, env: NodeJS.ProcessEnv): Promise<Version | undefined> {
  return new Promise(resolve => {
    const child = execFile(file, ['--version'], { env, timeout: 2000, windowsHide: true }, (_error, stdout, stderr) =>
      resolve(readVersion(stdout) ?? readVersion(stderr)),
    );
    child.stdin?.end();
  });
}

export interface NodeChoice {
  node: NodeRuntime;
  /** False when none of the machine's Nodes is in the range: this is the newest, and may fail. */
  fits: boolean;
}

/**
 * The newest Node that fits what a package asks for in `engines.node`, else the newest at all; undefined without any.
 * A range that is not understood is taken as fitting: npm only warns as well.
 */
export function chooseNode(nodes: readonly NodeRuntime[], range: string | undefined): NodeChoice | undefined {
  const [newest] = nodes;
  if (!newest) return undefined;
  if (range === undefined) return { node: newest, fits: true };
  const fitting = nodes.find(({ version }) => satisfies(version, range) !== false);
  return fitting ? { node: fitting, fits: true } : { node: newest, fits: false };
}

/** The file of a program that comes with a Node: `npm` beside `node`. */
export function besideNode(node: NodeRuntime, name: string, platform: NodeJS.Platform): string {
  return path.join(path.dirname(node.path), platform === 'win32' ? `${name}.cmd` : name);
}
