import assert from 'node:assert/strict';
import fc from 'fast-check';
import { previewOf } from '../../../src/chat/changePreview';
import { pathOfUri } from '../../../src/chat/fileNames';
import { projectEntry, projectHead } from '../../../src/chat/project';
import { changesOf, outputOf } from '../../../src/chat/toolParts';
import type { ChatEvent, Entry } from '../../../src/chat/state';
import type { ContentBlock, ToolCallPatch } from '../../../src/chat/update';
import type { ViewEntry } from '../../../src/chat/view';
import { asked, fold, prompt, says, toolCall, update } from './events';

const last = (...events: ChatEvent[]): Entry => fold(...events).entries.at(-1)!;
const project = (...events: ChatEvent[]): ViewEntry => projectEntry(last(...events), { cwd: '/w' });
const tool = (call: Partial<ToolCallPatch>, ...more: ChatEvent[]) => {
  const view = project(toolCall({ toolCallId: 't', ...call }), ...more);
  assert.ok(view.kind === 'tool');
  return view;
};
const blockOf = (block: ContentBlock) => {
  const [item] = tool({ content: [{ type: 'content', block }] }).content;
  assert.ok(item?.type === 'block');
  return item.block;
};

describe('what the view is told', () => {
  it('is the same object for the same entry and folder', () => {
    const entry = last(says('x'));
    assert.equal(projectEntry(entry, { cwd: '/w' }), projectEntry(entry, { cwd: '/w' }));
    assert.notEqual(projectEntry(entry, { cwd: '/w' }), projectEntry(entry, { cwd: '/v' }));
  });

  it('leaves raw input and output in the host', () => {
    const view = tool({ rawInput: { secret: 'x'.repeat(10_000) } });
    assert.equal(view.hasRaw, true);
    assert.ok(JSON.stringify(view).length < 1_000);
    assert.equal(tool({}).hasRaw, false);
  });

  it('gives every call a title, on one line and with nothing hidden', () => {
    assert.equal(tool({ title: ' ls\n-l\u202e ' }).title, 'ls↵-l⟨U+202E⟩');
    assert.equal(tool({ title: ' ', name: 'grep' }).title, 'grep');
    assert.equal(tool({ kind: 'execute' }).title, 'Run a command');
    assert.equal(tool({ kind: 'dance' }).title, 't');
    assert.ok(tool({ title: 'x'.repeat(5_000) }).title.length <= 400);
  });

  it('shows pictures only as data of a picture type, the rest by name', () => {
    assert.deepEqual(blockOf({ type: 'image', data: 'aGk=', mimeType: 'image/png' }), {
      type: 'image',
      src: 'data:image/png;base64,aGk=',
      alt: 'Picture',
    });
    assert.equal(blockOf({ type: 'image', data: 'aGk=', mimeType: 'text/html' }).type, 'placeholder');
    assert.equal(blockOf({ type: 'image', data: '"><script>', mimeType: 'image/png' }).type, 'placeholder');
    assert.equal(
      blockOf({ type: 'resource', uri: 'file:///w/p.png', mimeType: 'image/png', blob: 'aGk=' }).type,
      'image',
    );
    assert.deepEqual(blockOf({ type: 'audio', data: '', mimeType: 'audio/wav' }), {
      type: 'placeholder',
      label: 'Audio (audio/wav)',
    });
    assert.deepEqual(blockOf({ type: 'unknown', label: 'hologram', raw: 1 }), {
      type: 'placeholder',
      label: 'hologram',
    });
  });

  it('makes links of files and web addresses only', () => {
    const link = (uri: string) => blockOf({ type: 'resourceLink', uri, name: 'n' });
    assert.deepEqual(link('file:///w/a%20b.txt'), { type: 'link', label: 'n', path: '/w/a b.txt' });
    assert.deepEqual(link('https://example.org/x'), { type: 'link', label: 'n', href: 'https://example.org/x' });
    assert.equal(link('javascript:alert(1)').type, 'placeholder');
    assert.equal(link('command:workbench.action.quit').type, 'placeholder');
  });

  it('reads the path of a file address on every platform', () => {
    assert.equal(pathOfUri('file:///C:/a%25.txt'), 'C:/a%.txt');
    assert.equal(pathOfUri('file://server/share/x'), '//server/share/x');
    assert.equal(pathOfUri('file://localhost/x'), '/x');
    assert.equal(pathOfUri('file:///bad%zz'), '/bad%zz');
    assert.equal(pathOfUri('C:\\x'), 'C:\\x');
    assert.equal(pathOfUri('vscode://x/y'), undefined);
  });

  it('clips a long output at its beginning; the host has the whole', () => {
    const text = 'line\n'.repeat(40_000);
    const entry = last(
      toolCall({
        toolCallId: 't',
        content: [{ type: 'terminal', terminalId: 'x' }],
        terminal: [{ terminalId: 'x', data: text, exit: { exitCode: 3 } }],
      }),
    );
    const view = projectEntry(entry, { cwd: '/w' });
    const item = view.kind === 'tool' ? view.content[0] : undefined;
    assert.ok(item?.type === 'output' && item.clipped);
    assert.ok(item.text.length <= 65_536 && text.endsWith(item.text));
    assert.equal(item.exit, 'exit code 3');
    assert.equal(outputOf(entry, 0), text);
    const asText = tool({ content: [{ type: 'content', block: { type: 'text', text } }] }).content[0];
    assert.equal(asText?.type, 'output');
  });

  it('shows output of a terminal that no content names', () => {
    const [item] = tool({ terminal: [{ terminalId: 'x', data: 'hi' }] }).content;
    assert.deepEqual(item, { type: 'output', text: 'hi', clipped: false });
  });

  it('names files relative to the folder and lines from 1', () => {
    const { locations } = tool({ locations: [{ path: '/w/src/a.ts', line: 3 }, { path: '/x/b' }] });
    assert.deepEqual(
      locations.map(location => location.label),
      ['src/a.ts:3', '/x/b'],
    );
  });

  it('shows the subject of a question line by line with nothing hidden', () => {
    const view = project(asked('r', { toolCallId: 't', rawInput: { command: 'curl x | sh\n# \u200bline 2\u0007' } }));
    assert.equal(view.kind === 'tool' && view.permissions[0]?.subject, 'curl x | sh↵\n# ⟨U+200B⟩line 2␇');
  });

  it('offers modes only where there are no config options', () => {
    const modes = { currentModeId: 'a', availableModes: [] };
    assert.deepEqual(projectHead(fold({ type: 'sessionOpened', modes })).modes, modes);
    const both = projectHead(fold({ type: 'sessionOpened', modes, configOptions: [] }));
    assert.equal('modes' in both, false);
    assert.deepEqual(both.configOptions, []);
  });

  it('shows a bounded part of what it does not understand', () => {
    const view = project(update({ type: 'unknown', label: 'x', raw: 'y'.repeat(100_000) }));
    assert.ok(view.kind === 'unknown' && view.raw.length < 5_000);
  });
});

describe('changes of files', () => {
  it('are counted and previewed', () => {
    const preview = previewOf({ path: '/a', before: 'one\ntwo\nthree\n', after: 'one\n2\nthree\nfour\n' });
    assert.deepEqual(preview, {
      isNew: false,
      added: 2,
      removed: 1,
      preview: [' one', '-two', '+2', ' three', '+four'],
      partial: false,
    });
    assert.deepEqual(previewOf({ path: '/a', after: 'x\ny' }), {
      isNew: true,
      added: 2,
      removed: 0,
      preview: ['+x', '+y'],
      partial: false,
    });
  });

  it('that change nothing, or only line endings, say so', () => {
    assert.deepEqual(previewOf({ path: '/a', before: 'x\n', after: 'x\n' }).preview, []);
    const endings = previewOf({ path: '/a', before: 'x\r\ny\r\n', after: 'x\ny\n' });
    assert.deepEqual([endings.added, endings.removed, endings.preview], [0, 0, [' Only the line endings differ']]);
    const last = previewOf({ path: '/a', before: 'x', after: 'x\n' });
    assert.deepEqual([last.added, last.removed, last.preview], [0, 0, [' Only the line break at the end differs']]);
    assert.deepEqual(previewOf({ path: '/a', after: '' }).preview, []);
  });

  it('in a long file are found exactly', () => {
    const lines = Array.from({ length: 50_000 }, (_, index) => `line ${index}\n`);
    const preview = previewOf({ path: '/a', before: lines.join(''), after: lines.with(40_000, 'other\n').join('') });
    assert.deepEqual(preview.preview, [
      ' line 39998',
      ' line 39999',
      '-line 40000',
      '+other',
      ' line 40001',
      ' line 40002',
    ]);
    assert.equal(preview.partial, false);
  });

  it('count what a reader would count, for any texts', () => {
    const file = fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 12 }).map(lines => lines.join('\n'));
    fc.assert(
      fc.property(file, file, (before, after) => {
        const preview = previewOf({ path: '/a', before, after });
        const count = (text: string) => (text === '' ? 0 : text.split('\n').length - (text.endsWith('\n') ? 1 : 0));
        assert.equal(preview.added - preview.removed, count(after) - count(before));
        assert.equal(preview.partial, false);
      }),
    );
  });

  it('that are huge are estimated, at most 40 lines are shown', () => {
    const lines = (word: string) => Array.from({ length: 20_000 }, (_, index) => `${word} ${index}`).join('\n');
    const preview = previewOf({ path: '/a', before: lines('old'), after: lines('new') });
    assert.equal(preview.partial, true);
    assert.equal(preview.added, 20_000);
    assert.equal(preview.preview.length, 40);
  });

  it('that the client wrote itself stand in place of the words of the agent, once per file', () => {
    const diff = { type: 'diff' as const, path: '/w/a', oldText: 'part', newText: 'PART' };
    const wrote = (before: string, after: string): ChatEvent => ({
      type: 'fileWritten',
      write: { path: '/w/a', before, after },
    });
    const entry = last(
      prompt('go'),
      toolCall({ toolCallId: 't', content: [diff, { type: 'diff', path: '/w/b', newText: 'b' }] }),
      wrote('a part', 'a PART'),
      wrote('a PART', 'a PART!'),
    );
    assert.deepEqual(changesOf(entry), [
      { path: '/w/a', before: 'a part', after: 'a PART!' },
      { path: '/w/b', after: 'b' },
    ]);
    const view = projectEntry(entry, { cwd: '/w' });
    const diffs = view.kind === 'tool' ? view.content.flatMap(item => (item.type === 'diff' ? [item.diff] : [])) : [];
    assert.deepEqual(
      diffs.map(one => [one.index, one.label, one.isNew]),
      [
        [0, 'a', false],
        [1, 'b', true],
      ],
    );
  });
});
