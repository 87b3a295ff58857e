import path from 'node:path';
import * as vscode from 'vscode';
import { Throttle } from '../base/async';
import { Disposable } from '../base/lifecycle';
import { undoFile, type Version } from '../changes/fileReview';
import type { FileRef } from '../changes/ports';
import { encodeBytes, type ReviewedFile } from '../changes/review';
import type { Changes } from './changes';
import { decodeText, encodingOf } from './textEncoding';

export const baseScheme = 'portside-base';

/**
 * Texts of files without the agent's changes. A fixed one is what a checkpoint kept; a following one is the file as it
 * would be now if all of the agent's changes were undone, so that only those differ from it.
 */
export class BaseDocuments extends Disposable implements vscode.TextDocumentContentProvider {
  private readonly changed = this.register(new vscode.EventEmitter<vscode.Uri>());
  private readonly throttle = this.register(new Throttle(300, () => this.refresh()));
  readonly onDidChange = this.changed.event;

  constructor(private readonly changes: Changes) {
    super();
    this.register(vscode.workspace.registerTextDocumentContentProvider(baseScheme, this));
    this.register(changes.onDidChange(() => this.throttle.trigger()));
    this.register(
      vscode.workspace.onDidChangeTextDocument(
        ({ document }) => document.uri.scheme === 'file' && this.throttle.trigger(),
      ),
    );
  }

  /** What a checkpoint kept of a file; the empty text without `ref`. */
  fixed({ root, path: name }: Pick<ReviewedFile, 'root' | 'path'>, ref: FileRef | undefined): vscode.Uri {
    const query = new URLSearchParams({ root, blob: ref?.blob ?? '' }).toString();
    return vscode.Uri.file(path.join(root, name)).with({ scheme: baseScheme, query });
  }

  /** See the class; undefined when the agent has changed nothing there. */
  following(uri: vscode.Uri): vscode.Uri | undefined {
    const file = this.changes.files().find(({ root, path: name }) => path.join(root, name) === uri.fsPath);
    return file?.kept ? vscode.Uri.file(uri.fsPath).with({ scheme: baseScheme, query: 'following' }) : undefined;
  }

  async provideTextDocumentContent(uri: vscode.Uri): Promise<string> {
    const session = this.changes.current;
    if (!session) return '';
    const onDisk = vscode.Uri.file(uri.fsPath);
    if (uri.query === 'following') return this.textOf(onDisk, await this.withoutAgent(uri));
    const query = new URLSearchParams(uri.query);
    const [root, blob] = [query.get('root'), query.get('blob')];
    if (!root || !blob) return '';
    const bytes = await session.checkpoints.read(root, { blob, mode: 'file' }, session.signal);
    return decodeText(bytes, encodingOf(bytes, onDisk)).catch(() => 'This file is not text.');
  }

  private async withoutAgent(uri: vscode.Uri): Promise<Version | undefined> {
    const session = this.changes.current;
    const file = this.changes.files().find(({ root, path: name }) => path.join(root, name) === uri.fsPath);
    const current = file && (await this.changes.now(file));
    if (!session || !file) return current;
    return undoFile(await session.review.versions(file, current, session.signal), () => true, true).current;
  }

  private async textOf(uri: vscode.Uri, version: Version | undefined): Promise<string> {
    if (!version) return '';
    const bytes = encodeBytes(version.content);
    return decodeText(bytes, encodingOf(bytes, uri)).catch(() => '');
  }

  private refresh(): void {
    for (const { uri } of vscode.workspace.textDocuments)
      if (uri.scheme === baseScheme && uri.query === 'following') this.changed.fire(uri);
  }
}
