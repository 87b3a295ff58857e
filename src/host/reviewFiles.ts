import { lstat, readlink } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import type { Version } from '../changes/fileReview';
import type { FileRef, RestoreTarget } from '../changes/ports';
import { decodeBytes } from '../changes/review';
import { diskRestore } from '../node/diskRestore';
import { realPathOf } from '../node/paths';
import { readPlainFile } from '../node/plainFile';
import { documentOf, replaceText, unsavedText } from './files';
import { decodeText, encodeText, encodingOf, hasByteOrderMark, withoutMark } from './textEncoding';

/**
 * Files as the user sees them: the editor's text where it is not saved, else the bytes on disk. What is open is changed
 * through the editor, so that the user can undo it there.
 */
export class ReviewFiles implements RestoreTarget {
  /** What a file is now; undefined when there is none. `root` and `name` as in `FileChange`. */
  async read(root: string, name: string): Promise<Version | undefined> {
    const file = path.join(root, name);
    const document = await documentOf(file);
    const facts = await lstat(file).catch(() => undefined);
    if (facts?.isSymbolicLink()) return { content: (await readlink(file, 'buffer')).toString('latin1'), mode: 'link' };
    const mode = facts && (facts.mode & 0o100) !== 0 && process.platform !== 'win32' ? 'executable' : 'file';
    if (document?.isDirty)
      return { content: decodeBytes(await encodeText(unsavedText(document), document.encoding)), mode };
    const bytes = facts?.isFile() ? await readPlainFile(await realPathOf(file)) : undefined;
    return bytes && { content: decodeBytes(bytes), mode };
  }

  async write(root: string, name: string, mode: FileRef['mode'], bytes: Uint8Array): Promise<void> {
    const file = path.join(root, name);
    const document = mode === 'link' ? undefined : await documentOf(file);
    if (document) await this.edit(document, bytes);
    // An editor with unsaved text keeps it: the user saves it, or undoes what was done here.
    if (document?.isDirty) return;
    const now = document && (await this.read(root, name));
    if (now?.mode !== mode || now.content !== decodeBytes(bytes)) await diskRestore.write(root, name, mode, bytes);
  }

  /** To the trash, where the file system has one. The bytes are in the store either way. */
  async remove(root: string, name: string): Promise<void> {
    const uri = vscode.Uri.file(path.join(root, name));
    try {
      await vscode.workspace.fs.delete(uri, { useTrash: true });
    } catch {
      // No trash there, or it is gone already.
    }
    await diskRestore.remove(root, name);
  }

  async unsaved(file: string, text: string): Promise<void> {
    const document = await vscode.workspace.openTextDocument(vscode.Uri.file(file));
    await replaceText(document, hasByteOrderMark(document.encoding) ? withoutMark(text) : text);
  }

  /** The editor's text becomes that of the bytes; a document that was saved is saved again. */
  private async edit(document: vscode.TextDocument, bytes: Uint8Array): Promise<void> {
    const wasDirty = document.isDirty;
    const text = await decodeText(bytes, encodingOf(bytes, document.uri, document)).catch(() => undefined);
    if (text === undefined) return;
    await replaceText(document, hasByteOrderMark(document.encoding) ? withoutMark(text) : text);
    if (!wasDirty) await document.save();
  }
}
