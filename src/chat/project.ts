import { memo } from '../base/memo';
import { previewOf } from './changePreview';
import { labelOfPath, pathOfUri } from './fileNames';
import type { ChangesEntry, Conversation, Entry, FileWrite, Permission, ToolCall } from './state';
import { titleOf } from './title';
import { clipOutput, partsOf, type ToolPart } from './toolParts';
import type { ContentBlock } from './update';
import type { ViewBlock, ViewDiff, ViewEntry, ViewHead, ViewPermission, ViewToolContent } from './view';
import { visible, visibleLines, visibleShort } from './visible';

const labelLimit = 300;
const rawLimit = 4_000;
const changedFilesLimit = 100;
/** Larger pictures are only named, in characters of base64. */
const imageLimit = 12_000_000;

export interface ProjectContext {
  /** The session's folder: paths inside it are shown relative to it. */
  cwd: string;
}

const cached = new WeakMap<Entry, { cwd: string; view: ViewEntry }>();

/** What the view is told of an entry. The same entry gives the same object. */
export function projectEntry(entry: Entry, context: ProjectContext): ViewEntry {
  const known = cached.get(entry);
  if (known?.cwd === context.cwd) return known.view;
  const view = { ...project(entry, context), id: entry.id, turn: entry.turn };
  cached.set(entry, { cwd: context.cwd, view });
  return view;
}

/** The part of the view's head that comes from the conversation. With config options an agent's modes count no more. */
export function projectHead(
  c: Conversation,
): Pick<ViewHead, 'title' | 'commands' | 'modes' | 'configOptions' | 'usage'> {
  return {
    commands: c.commands,
    ...(c.title === undefined ? {} : { title: visibleShort(c.title, labelLimit) }),
    ...(c.configOptions ? { configOptions: c.configOptions } : c.modes ? { modes: c.modes } : {}),
    ...(c.usage ? { usage: c.usage } : {}),
  };
}

type Unplaced<V> = V extends unknown ? Omit<V, 'id' | 'turn'> : never;

function project(entry: Entry, context: ProjectContext): Unplaced<ViewEntry> {
  switch (entry.kind) {
    case 'user':
      return { kind: 'user', blocks: entry.content.map(viewBlock) };
    case 'agent':
    case 'thought':
      return { kind: entry.kind, blocks: entry.content.map(viewBlock), open: entry.open };
    case 'tool':
      return projectCall(entry, context);
    case 'write':
      return { kind: 'write', diff: viewDiff(entry, 0, context) };
    case 'changes':
      return projectChanges(entry, context);
    case 'plan':
      return { kind: 'plan', entries: entry.entries };
    case 'error': {
      const { code, message, details, actions, methods } = entry;
      const choice = methods && { methods: methods.map(one => ({ ...one, name: visibleShort(one.name, labelLimit) })) };
      return { kind: 'error', code, message, actions, ...(details === undefined ? {} : { details }), ...choice };
    }
    case 'note': {
      const { severity, text, details, actions } = entry;
      return { kind: 'note', severity, text, actions, ...(details === undefined ? {} : { details }) };
    }
    case 'unknown':
      return { kind: 'unknown', label: visibleShort(entry.label, labelLimit), raw: clipped(JSON.stringify(entry.raw)) };
  }
}

function projectCall(call: ToolCall, context: ProjectContext): Unplaced<ViewEntry> {
  const parts = partsOf(call);
  const changes = parts.filter(part => part.type === 'change');
  return {
    kind: 'tool',
    title: titleOf(call),
    toolKind: call.toolKind,
    status: call.status,
    content: parts.map(part =>
      part.type === 'change'
        ? { type: 'diff', diff: viewDiff(part.change, changes.indexOf(part), context) }
        : viewPart(part),
    ),
    locations: call.locations.map(location => {
      const label = visibleShort(labelOfPath(location.path, context.cwd), labelLimit);
      return { ...location, label: location.line === undefined ? label : `${label}:${location.line}` };
    }),
    permissions: call.permissions.map(viewPermission),
    hasRaw: call.rawInput !== undefined || call.rawOutput !== undefined,
  };
}

function projectChanges({ files, skipped }: ChangesEntry, { cwd }: ProjectContext): Unplaced<ViewEntry> {
  const label = (path: string): string => visibleShort(labelOfPath(path, cwd), labelLimit);
  const listed = files.slice(0, changedFilesLimit).map(({ oldPath, ...file }) => ({
    ...file,
    label: label(file.path),
    ...(oldPath === undefined ? {} : { oldLabel: label(oldPath) }),
  }));
  return { kind: 'changes', files: listed, more: files.length - listed.length, skipped };
}

function viewPart(part: Exclude<ToolPart, { type: 'change' }>): ViewToolContent {
  if (part.type === 'block') return { type: 'block', block: viewBlock(part.block) };
  return { type: 'output', ...clipOutput(part.text), ...(part.exit === undefined ? {} : { exit: part.exit }) };
}

const viewPermission = memo((permission: Permission): ViewPermission => {
  const options = permission.options.map(option => ({ ...option, name: visible(option.name) }));
  const subject = permission.subject === undefined ? {} : { subject: visibleLines(permission.subject) };
  return { ...permission, options, ...subject };
});

function viewDiff(change: FileWrite, index: number, context: ProjectContext): ViewDiff {
  const label = visibleShort(labelOfPath(change.path, context.cwd), labelLimit);
  return { index, path: change.path, label, ...previewOf(change) };
}

const viewBlock = memo((block: ContentBlock): ViewBlock => {
  switch (block.type) {
    case 'text':
      return { type: 'text', text: block.text };
    case 'image':
      return picture(block.mimeType, block.data, 'Picture');
    case 'audio':
      return placeholder(`Audio (${block.mimeType})`);
    case 'resourceLink':
      return link(block.uri, block.title ?? block.name);
    case 'resource':
      if (block.blob !== undefined && block.mimeType?.startsWith('image/')) {
        return picture(block.mimeType, block.blob, block.uri);
      }
      return link(block.uri, '');
    case 'unknown':
      return placeholder(block.label);
  }
});

function picture(mimeType: string, data: string, alt: string): ViewBlock {
  const isPicture = /^image\/[\w.+-]+$/.test(mimeType) && /^[A-Za-z0-9+/=\s]*$/.test(data);
  if (!isPicture || data.length > imageLimit) return placeholder(`Picture (${mimeType})`);
  return { type: 'image', src: `data:${mimeType};base64,${data}`, alt: visibleShort(alt, labelLimit) };
}

function link(uri: string, name: string): ViewBlock {
  const path = pathOfUri(uri);
  const shown = visibleShort(name.trim() || (path ?? uri), labelLimit);
  if (path !== undefined) return { type: 'link', label: shown, path };
  return /^https?:\/\//i.test(uri) ? { type: 'link', label: shown, href: uri } : placeholder(shown);
}

function placeholder(label: string): ViewBlock {
  return { type: 'placeholder', label: visibleShort(label, labelLimit) };
}

function clipped(text: string): string {
  return text.length > rawLimit ? `${text.slice(0, rawLimit)}…` : text;
}
