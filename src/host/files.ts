import { realpath } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { FileError, type FilePort, type ReadRequest } from '../acp/ports';
import { Sequencer } from '../base/async';
import { ExpectedError } from '../base/errors';
import { isInside, isMissing, realPathOf, refusedName } from '../node/paths';
import { readPlainFile, writePlainFile } from '../node/plainFile';
import { diskFolders } from './folders';
import { decodeText, encodeText, encodingOf, hasByteOrderMark, withoutMark } from './textEncoding';
import { lineEndOf, linesOf, smallestReplacement } from './textEdit';

/**
 * The files of the workspace, for one agent. A file without unsaved changes is read from and written to the disk byte
 * for byte: VS Code loads it again by itself. One with unsaved changes is its document.
 */
export class WorkspaceFiles implements FilePort {
  private readonly writes = new Sequencer();
  /** The version of a document's unsaved text that the agent has read last. */
  private readonly seen = new WeakMap<vscode.TextDocument, number>();

  constructor(private readonly folders = () => diskFolders().map(folder => folder.uri.fsPath)) {}

  read(cwd: string, request: ReadRequest, signal: AbortSignal): Promise<string> {
    return answering(request.path, async () => {
      const file = await this.allowedPath(cwd, request.path);
      const document = await documentOf(file);
      signal.throwIfAborted();
      if (document?.isDirty) {
        this.seen.set(document, document.version);
        return linesOf(unsavedText(document), request.line, request.limit);
      }
      const text = await readText(file, document);
      if (text === undefined) throw notFound(request.path);
      return linesOf(text, request.line, request.limit);
    });
  }

  write(cwd: string, name: string, content: string, signal: AbortSignal): Promise<{ before?: string }> {
    return this.writes.run(() =>
      answering(name, async () => {
        const file = await this.allowedPath(cwd, name);
        const document = await documentOf(file);
        await refuseUnsavedEditor(file);
        signal.throwIfAborted();
        return document?.isDirty ? this.writeUnsaved(document, file, content) : writeDisk(file, document, content);
      }),
    );
  }

  /** The real path behind what the agent names. Throws when it lies outside the workspace folders. */
  private async allowedPath(cwd: string, name: string): Promise<string> {
    const wanted = path.resolve(cwd, name);
    const reason = refusedName(wanted, process.platform);
    if (reason) throw new FileError('refused', `${name}: ${reason}`);
    const real = await realPathOf(wanted);
    const roots = await Promise.all(this.folders().map(folder => realpath(folder).catch(() => folder)));
    if (!isInside(real, roots, process.platform))
      throw new FileError('refused', `${name}: This path lies outside the workspace folders.`);
    return real;
  }

  /** Through the document, so that the user can undo it. Text that the user typed after the agent has read is never replaced. */
  private async writeUnsaved(
    document: vscode.TextDocument,
    file: string,
    content: string,
  ): Promise<{ before: string }> {
    if (this.seen.get(document) !== document.version)
      throw new FileError('refused', `${file}: The user has changed this file and not saved it. Read it again first.`);
    if (lineEndOf(content) === 'mixed')
      throw new FileError(
        'refused',
        `${file}: This file has unsaved changes and cannot be saved with mixed line ends.`,
      );
    await encodeText(content, document.encoding);
    const before = unsavedText(document);
    await replaceText(document, bodyOf(content, document));
    if (!(await document.save())) {
      await replaceText(document, bodyOf(before, document));
      throw new FileError(
        'failed',
        `${file}: The editor could not save this file, perhaps because it is newer on disk.`,
      );
    }
    const saved = await readText(file, document);
    if (saved === undefined || bodyOf(saved, document) !== bodyOf(content, document))
      throw new FileError('failed', `${file}: The editor changed the text when it saved this file. Read it again.`);
    return { before };
  }
}

async function readText(file: string, document?: vscode.TextDocument): Promise<string | undefined> {
  const bytes = await readPlainFile(file);
  return bytes && decodeText(bytes, encodingOf(bytes, vscode.Uri.file(file), document));
}

async function writeDisk(
  file: string,
  document: vscode.TextDocument | undefined,
  content: string,
): Promise<{ before?: string }> {
  const bytes = await readPlainFile(file);
  const encoding = encodingOf(bytes, vscode.Uri.file(file), document);
  const before = bytes && (await decodeText(bytes, encoding));
  await writePlainFile(file, await encodeText(content, encoding));
  return before === undefined ? {} : { before };
}

/** The open document of a real path, under whatever name it was opened; with several, one that has unsaved changes. */
export async function documentOf(file: string): Promise<vscode.TextDocument | undefined> {
  const open = vscode.workspace.textDocuments.filter(document => document.uri.scheme === 'file' && !document.isClosed);
  const reals = await Promise.all(open.map(document => realPathOf(document.uri.fsPath).catch(() => undefined)));
  const same = open.filter((_, at) => reals[at] === file);
  return same.find(document => document.isDirty) ?? same[0];
}

/** Notebooks and custom editors keep unsaved changes that are no text: nothing may be written under them. */
async function refuseUnsavedEditor(file: string): Promise<void> {
  for (const { input, isDirty } of vscode.window.tabGroups.all.flatMap(group => group.tabs)) {
    const isOther = input instanceof vscode.TabInputNotebook || input instanceof vscode.TabInputCustom;
    if (!isDirty || !isOther || input.uri.scheme !== 'file') continue;
    if ((await realPathOf(input.uri.fsPath)) === file)
      throw new FileError('refused', `${file}: This file is open in an editor with unsaved changes.`);
  }
}

/** As it would be read from the disk if it were saved. */
export function unsavedText(document: vscode.TextDocument): string {
  return (document.encoding === 'utf8bom' ? '\uFEFF' : '') + document.getText();
}

function bodyOf(text: string, document: vscode.TextDocument): string {
  return hasByteOrderMark(document.encoding) ? withoutMark(text) : text;
}

/** Edits a document so that it has this text: one step for Undo, or two when the line end changes. */
export async function replaceText(document: vscode.TextDocument, text: string): Promise<void> {
  // The line end has an edit, and so an Undo, of its own: Undo of both in one leaves a damaged text (tried on 1.139).
  const wanted = lineEndOf(text);
  if (wanted !== undefined && wanted !== endOf(document)) {
    const eol = wanted === '\n' ? vscode.EndOfLine.LF : vscode.EndOfLine.CRLF;
    const before = document.getText().replaceAll('\r\n', '\n');
    await applyEdit(document, vscode.TextEdit.setEndOfLine(eol));
    if (document.getText().replaceAll('\r\n', '\n') !== before) throw changedMeanwhile(document);
  }
  const change = smallestReplacement(document.getText(), text.replace(/\r\n|\n/g, endOf(document)));
  const range = new vscode.Range(document.positionAt(change.start), document.positionAt(change.end));
  await applyEdit(document, vscode.TextEdit.replace(range, change.text));
}

async function applyEdit(document: vscode.TextDocument, change: vscode.TextEdit): Promise<void> {
  const edit = new vscode.WorkspaceEdit();
  edit.set(document.uri, [change]);
  if (!(await vscode.workspace.applyEdit(edit))) throw changedMeanwhile(document);
}

function changedMeanwhile(document: vscode.TextDocument): FileError {
  return new FileError('failed', `${document.uri.fsPath}: The text changed meanwhile. Read it again.`);
}

function endOf(document: vscode.TextDocument): '\n' | '\r\n' {
  return document.eol === vscode.EndOfLine.CRLF ? '\r\n' : '\n';
}

function notFound(name: string): FileError {
  return new FileError('notFound', `Resource not found: ${name}`);
}

/** Runs what an agent has asked for; expected failures become errors that say something to the agent. */
async function answering<T>(name: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ExpectedError) throw new FileError('refused', `${name}: ${error.message}`);
    const { code } = error as NodeJS.ErrnoException;
    if (typeof code !== 'string' || error instanceof FileError) throw error;
    throw isMissing(error) ? notFound(name) : new FileError('failed', `${name}: ${code}`);
  }
}
