import { lstat, readlink, realpath } from 'node:fs/promises';
import path from 'node:path';
import { ExpectedError } from '../base/errors';

/** Names that Windows takes for devices in any folder, with any extension. */
const windowsDevice = /^(con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³])$/i;

/**
 * Why an absolute path cannot name a plain file on this platform, whatever lies there: devices, pipes, alternate data
 * streams, names that Windows changes silently. Undefined when nothing is wrong with it.
 */
export function refusedName(file: string, platform: NodeJS.Platform): string | undefined {
  if (file.includes('\0')) return 'The path contains a NUL character.';
  const { isAbsolute, parse } = flavour(platform);
  if (!isAbsolute(file)) return 'The path is not absolute.';
  if (platform !== 'win32') return undefined;
  const { root } = parse(file);
  if (/^[\\/]{2}[?.][\\/]/.test(file) || !/^([a-z]:[\\/]|[\\/]{2})/i.test(root))
    return 'The path names no file on a drive.';
  for (const part of file.slice(root.length).split(/[\\/]/)) {
    if (part === '' || part === '.' || part === '..') continue;
    if (/[<>:"|?*]/.test(part)) return 'The path contains a character that Windows does not allow.';
    if (/[. ]$/.test(part)) return 'A part of the path ends with a dot or a space.';
    if (windowsDevice.test(part.replace(/[ .].*$/, ''))) return 'The path names a device.';
  }
  return undefined;
}

/**
 * Whether a path is one of the folders or lies in one. Both must be absolute and real (links resolved): then Windows'
 * paths are compared without regard to case, all others exactly. With no folder nothing is inside.
 */
export function isInside(file: string, folders: readonly string[], platform: NodeJS.Platform): boolean {
  const { relative, isAbsolute, sep } = flavour(platform);
  const same = (text: string): string => (platform === 'win32' ? text.toLowerCase() : text);
  return folders.some(folder => {
    const way = relative(same(folder), same(file));
    return way === '' || (way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way));
  });
}

/**
 * The real path of a file that need not be there: links are resolved in the part that exists, also a last link that
 * leads nowhere (writing to it would make its target).
 */
export async function realPathOf(file: string, links = 0): Promise<string> {
  try {
    return await realpath(file);
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
  if (links > 40) throw new ExpectedError('linkLoop', 'The path leads through too many links.');
  const parent = path.dirname(file);
  if (parent === file) return file;
  const real = path.join(await realPathOf(parent, links + 1), path.basename(file));
  const isLink = await lstat(real).then(
    stat => stat.isSymbolicLink(),
    () => false,
  );
  return isLink ? realPathOf(path.resolve(path.dirname(real), await readlink(real)), links + 1) : real;
}

/** Whether an error of the file system says that something is not there. */
export function isMissing(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === 'ENOENT' || code === 'ENOTDIR';
}

function flavour(platform: NodeJS.Platform): path.PlatformPath {
  return platform === 'win32' ? path.win32 : path.posix;
}
