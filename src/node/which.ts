import { access, constants, lstat, readdir, realpath, stat } from 'node:fs/promises';
import path from 'node:path';

/** A command on the machine. */
export interface CommandFile {
  path: string;
  /** The file behind it, links resolved. */
  realPath: string;
  /** The version manager whose stand-in it is. */
  wrapper?: Wrapper;
}

export type Wrapper = 'asdf' | 'corepack' | 'fnm' | 'mise' | 'nvm' | 'proto' | 'volta';

const wrappers: readonly [RegExp, Wrapper][] = [
  [/\/\.?asdf\/shims\//, 'asdf'],
  [/\/corepack\/(dist|shims)\//, 'corepack'],
  [/\/fnm_multishells\/|\/fnm\/(aliases|node-versions)\//, 'fnm'],
  [/\/mise\/(shims|installs)\//, 'mise'],
  [/\/\.?nvm\/versions\//, 'nvm'],
  [/\/\.proto\/(shims|bin)\//, 'proto'],
  [/\/\.?volta\/(bin|tools)\//, 'volta'],
];

/** The version manager that a command belongs to, by where it lies or where it leads. */
export function wrapperOf(...paths: readonly string[]): Wrapper | undefined {
  const plain = paths.map(each => each.replaceAll('\\', '/').toLowerCase());
  return wrappers.find(([pattern]) => plain.some(each => pattern.test(each)))?.[1];
}

/** Folders of a PATH: absolute ones only (a relative one would look into the project), without quotes and doubles. */
export function pathFolders(value: string | undefined, platform: NodeJS.Platform): string[] {
  const { delimiter, isAbsolute } = platform === 'win32' ? path.win32 : path.posix;
  const folders = (value ?? '').split(delimiter).map(folder => folder.replace(/^"(.*)"$/, '$1'));
  return [...new Set(folders.filter(folder => isAbsolute(folder)))];
}

interface Listing {
  /** Name as it is looked up -> name as it is on disk. */
  names: ReadonlyMap<string, string>;
  changedAt: number;
  readAt: number;
}

/**
 * Looks commands up along folders as a shell would, within this process: one listing per folder for all commands.
 * A folder is listed again when it has changed.
 */
export class CommandSearch {
  private readonly listings = new Map<string, Promise<Listing | undefined>>();
  private readonly extensions: readonly string[];

  /** @param pathExt the value of `PATHEXT` (Windows) */
  constructor(
    private readonly platform: NodeJS.Platform,
    pathExt = '.COM;.EXE;.BAT;.CMD',
  ) {
    this.extensions = platform === 'win32' ? pathExt.split(';').filter(Boolean) : [''];
  }

  /** The first file for each command that is there. Never rejects: a folder that cannot be read holds nothing. */
  async find(commands: Iterable<string>, folders: readonly string[]): Promise<Map<string, CommandFile>> {
    const listings = await this.list(folders);
    const found = await Promise.all(
      [...commands].map(async command => {
        for (const file of this.candidates(command, folders, listings)) {
          const hit = await this.commandFile(file);
          if (hit) return [command, hit] as const;
        }
        return undefined;
      }),
    );
    return new Map(found.filter(entry => entry !== undefined));
  }

  /** Every file for one command, in the order of the folders. */
  async findAll(command: string, folders: readonly string[]): Promise<CommandFile[]> {
    const files = [...this.candidates(command, folders, await this.list(folders))];
    return (await Promise.all(files.map(file => this.commandFile(file)))).filter(file => file !== undefined);
  }

  private *candidates(
    command: string,
    folders: readonly string[],
    listings: readonly (Listing | undefined)[],
  ): Generator<string> {
    const given = this.extensions.some(extension => extension !== '' && endsWith(command, extension));
    for (const [index, folder] of folders.entries()) {
      for (const extension of given ? [''] : this.extensions) {
        const name = listings[index]?.names.get(this.fold(command + extension));
        if (name !== undefined) yield path.join(folder, name);
      }
    }
  }

  private list(folders: readonly string[]): Promise<(Listing | undefined)[]> {
    return Promise.all(folders.map(folder => this.listing(folder)));
  }

  private listing(folder: string): Promise<Listing | undefined> {
    const before = this.listings.get(folder);
    const next = this.read(folder, before).catch(() => undefined);
    this.listings.set(folder, next);
    return next;
  }

  private async read(folder: string, before: Promise<Listing | undefined> | undefined): Promise<Listing> {
    const [{ mtimeMs: changedAt }, known] = await Promise.all([stat(folder), before]);
    // A listing taken right after a change may have missed another one that bears the same time.
    if (known && known.changedAt === changedAt && known.readAt - changedAt > 1000) return known;
    const readAt = Date.now();
    const names = new Map((await readdir(folder)).map(name => [this.fold(name), name]));
    return { names, changedAt, readAt };
  }

  private async commandFile(file: string): Promise<CommandFile | undefined> {
    try {
      if (!(await this.isCommand(file))) return undefined;
      const real = await realpath(file).catch(() => file);
      const wrapper = wrapperOf(file, real);
      return { path: file, realPath: real, ...(wrapper ? { wrapper } : {}) };
    } catch {
      return undefined;
    }
  }

  private async isCommand(file: string): Promise<boolean> {
    if (this.platform !== 'win32') {
      await access(file, constants.X_OK);
      return (await stat(file)).isFile();
    }
    // An app execution alias cannot be followed, only seen.
    const info = await stat(file).catch(() => lstat(file));
    return !info.isDirectory();
  }

  private fold(name: string): string {
    return this.platform === 'win32' ? name.toLowerCase() : name;
  }
}

function endsWith(command: string, extension: string): boolean {
  return command.toLowerCase().endsWith(extension.toLowerCase());
}
