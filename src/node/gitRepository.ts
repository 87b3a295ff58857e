import { existsSync, realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { type Git, GitFailed } from './git';

/** What we need to know of a user's repository. All paths are absolute. */
export interface Repository {
  /** The folder of its files. */
  readonly top: string;
  /** Where it and its parts are: several places when it is a worktree or a submodule. */
  readonly gitDir: string;
  readonly index: string;
  readonly objects: string;
  /** Files with patterns of what is ignored, beyond `.gitignore`; they need not exist. */
  readonly info: string;
  readonly excludesFile?: string;
  readonly objectFormat: string;
  /** Settings that say how its file system behaves: `[name, value]`. */
  readonly fileSystem: readonly (readonly [string, string])[];
  /** Line ends of any file may be converted. */
  readonly convertsLineEnds: boolean;
}

export interface Location {
  repository: Repository;
  /** The folder that was asked for, relative to `top`, with a slash at its end; empty for `top` itself. */
  prefix: string;
}

const fileSystemSettings = /^core\.(filemode|symlinks|ignorecase|precomposeunicode|trustctime|checkstat)$/;
const wanted =
  '^(core\\.(filemode|symlinks|ignorecase|precomposeunicode|trustctime|checkstat|autocrlf|excludesfile)|extensions\\.objectformat)$';

/** The repository that `folder` is part of. None when there is none, or it ignores the folder, or git does not trust it. */
export async function findRepository(git: Git, folder: string, signal: AbortSignal): Promise<Location | undefined> {
  const call = { cwd: folder, signal };
  const lines = await git
    .run(
      [
        'rev-parse',
        '--show-toplevel',
        '--show-prefix',
        '--absolute-git-dir',
        '--git-path',
        'index',
        '--git-path',
        'objects',
        '--git-path',
        'info',
      ],
      call,
    )
    .catch(noRepository);
  const [top, prefix, gitDir, index, objects, info] = lines?.toString().split('\n') ?? [];
  if (!top || prefix === undefined || !gitDir || !index || !objects || !info) return undefined;
  if (prefix && (await isIgnored(git, folder, signal))) return undefined;
  const settings = await readSettings(git, folder, signal);
  const at = (file: string): string => path.resolve(folder, file);
  return {
    prefix,
    repository: {
      top: asSeenFrom(folder, prefix, path.resolve(top)),
      gitDir: path.resolve(gitDir),
      index: at(index),
      objects: at(objects),
      info: at(info),
      ...excludesOf(settings.get('core.excludesfile')),
      objectFormat: settings.get('extensions.objectformat') ?? 'sha1',
      fileSystem: [...settings].filter(([name]) => fileSystemSettings.test(name)),
      convertsLineEnds: /^(true|yes|on|1|input|)$/i.test(settings.get('core.autocrlf') ?? 'false'),
    },
  };
}

function noRepository(error: unknown): undefined {
  if (!(error instanceof GitFailed)) throw error;
}

async function isIgnored(git: Git, folder: string, signal: AbortSignal): Promise<boolean> {
  try {
    await git.run(['check-ignore', '-q', '.'], { cwd: folder, signal });
    return true;
  } catch (error) {
    if (error instanceof GitFailed) return false;
    throw error;
  }
}

async function readSettings(git: Git, cwd: string, signal: AbortSignal): Promise<Map<string, string>> {
  const entries = await git
    .fields(['config', '-z', '--get-regexp', wanted], { cwd, signal })
    .catch((error: unknown) => {
      noRepository(error);
      return [];
    });
  return new Map(
    entries.map(entry => {
      const [name = '', value = 'true'] = entry.split(/\n(.*)/s);
      return [name, value];
    }),
  );
}

function excludesOf(file: string | undefined): { excludesFile?: string } {
  if (!file) return {};
  return { excludesFile: file.startsWith('~/') ? path.join(homedir(), file.slice(2)) : file };
}

/** Git resolves links; the user's own way to write the path is kept where it leads to the same folder. */
function asSeenFrom(folder: string, prefix: string, top: string): string {
  const up = prefix
    .split('/')
    .filter(Boolean)
    .map(() => '..');
  const seen = path.resolve(folder, ...up);
  return existsSync(seen) && realpathSync(seen) === top ? seen : top;
}
