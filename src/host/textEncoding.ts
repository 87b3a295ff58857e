import * as vscode from 'vscode';
import { ExpectedError } from '../base/errors';
import { asString } from '../base/json';

// A file's bytes as text and back, in the encoding that VS Code uses for it. What would not come back as the same
// bytes is refused, so that no read and write damages a file. UTF-8 keeps its byte order mark as U+FEFF in the text;
// for UTF-16, VS Code takes the mark off and puts it on.

/** How many bytes are looked at to tell a binary file. */
const sample = 8192;
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Encodings in which VS Code writes a byte order mark that it does not show in the document. */
export function hasByteOrderMark(encoding: string): boolean {
  return encoding === 'utf8bom' || encoding === 'utf16le' || encoding === 'utf16be';
}

/** The encoding of a file: by its mark, else that of its open document, else the one that is set for it. */
export function encodingOf(bytes: Uint8Array | undefined, uri: vscode.Uri, document?: vscode.TextDocument): string {
  const [a, b, c] = bytes ?? [];
  if (a === 0xef && b === 0xbb && c === 0xbf) return 'utf8bom';
  if (a === 0xff && b === 0xfe) return 'utf16le';
  if (a === 0xfe && b === 0xff) return 'utf16be';
  return document?.encoding ?? asString(vscode.workspace.getConfiguration('files', uri).get('encoding')) ?? 'utf8';
}

export async function decodeText(bytes: Uint8Array, encoding: string): Promise<string> {
  const isWide = encoding.startsWith('utf16');
  if (!isWide && bytes.subarray(0, sample).includes(0)) throw new ExpectedError('notText', 'This is a binary file.');
  if (isUtf8(encoding)) {
    try {
      return utf8.decode(bytes);
    } catch {
      throw new ExpectedError('notText', 'The file is binary or not in UTF-8.');
    }
  }
  const text = await vscode.workspace.decode(bytes, { encoding });
  const back = await vscode.workspace.encode(text, { encoding });
  if (!Buffer.from(back).equals(bytes)) throw new ExpectedError('notText', `The file is binary or not in ${encoding}.`);
  return text;
}

export async function encodeText(text: string, encoding: string): Promise<Uint8Array> {
  const unfit = new ExpectedError('notText', `The text has characters that cannot be written in ${encoding}.`);
  if (/\p{Surrogate}/u.test(text)) throw unfit;
  if (isUtf8(encoding)) return Buffer.from(text, 'utf8');
  const plain = hasByteOrderMark(encoding) ? withoutMark(text) : text;
  const bytes = await vscode.workspace.encode(plain, { encoding });
  if ((await vscode.workspace.decode(bytes, { encoding })) !== plain) throw unfit;
  return bytes;
}

export function withoutMark(text: string): string {
  return text.startsWith('\uFEFF') ? text.slice(1) : text;
}

function isUtf8(encoding: string): boolean {
  return encoding === 'utf8' || encoding === 'utf8bom';
}
