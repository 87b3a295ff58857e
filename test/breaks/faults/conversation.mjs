const reduce = 'src/chat/reduce.ts';
const messages = 'src/chat/messages.ts';
const toolCalls = 'src/chat/toolCalls.ts';
const project = 'src/chat/project.ts';
const patch = 'src/chat/patch.ts';
const channel = 'src/contract/channel.ts';

/** @type {import('../faults.mjs').Table} */
export const conversation = {
  'Messages are joined and split as the protocol says, and none is lost': [
    {
      file: messages,
      find: 'if (messageId !== undefined) return placeOf(c.entries, nameOf.message(kind, messageId));',
      replace: '',
      test: 'messages joins chunks with one id although other items lie between, and splits at a new id',
    },
    {
      file: 'src/chat/entryIndex.ts',
      find: '`${kind} ${messageId}`',
      replace: '`message ${messageId}`',
      test: 'messages keeps thoughts and answers with the same id apart',
    },
    {
      file: 'src/chat/entries.ts',
      find: "entry.kind === 'changes' || (entry.kind === 'note' && entry.compactionId === undefined)",
      replace: 'false',
      test: 'messages is not split by notice',
    },
    {
      file: reduce,
      find: 'return { ...c, usage: update.usage };',
      replace: "return append({ ...c, usage: update.usage }, { kind: 'unknown', label: 'usage', raw: 0 });",
      test: 'messages is not split by usage',
    },
    {
      file: messages,
      find: 'if (tail?.kind !== kind) return -1;',
      replace: 'if (tail?.kind !== kind || !c.running) return -1;',
      test: 'messages adds text that comes after the end to the same message, until a new prompt',
    },
    {
      file: messages,
      find: 'if (!c.running) return write(c, kind, messageId, block);',
      replace: 'return write(c, kind, messageId, block);',
      test: 'messages does not show the echo of a prompt, whole or in pieces',
    },
    {
      file: messages,
      find: 'const held = text.slice(0, c.echoed);',
      replace: "const held = '';",
      test: 'messages shows words of the user that are no echo, none of them lost',
    },
    {
      file: messages,
      find: "if (last?.type !== 'text' || block.type !== 'text') return [...content, block];",
      replace: "if (block.type !== 'text') return content;\n  if (last?.type !== 'text') return [...content, block];",
      test: 'messages keeps blocks that are no text in their place',
    },
    {
      file: 'src/chat/entries.ts',
      find: 'return replaceAt(c, at, { ...tail, open: false });',
      replace: 'return c;',
      test: 'messages is open while it is written and closed by what follows or by the end',
    },
  ],
  'A plan is replaced in its place': [
    {
      file: reduce,
      find: "known?.kind === 'plan' && known.turn === c.turn && entries.length > 0",
      replace: "known?.kind === 'plan' && known.turn === -1",
      test: 'a plan is replaced in place within the turn and removed by an empty list',
    },
  ],
  'The end of a turn is told, and settles what was unfinished': [
    {
      file: reduce,
      find: "return settleCalls(c, 'cancelled');",
      replace: 'return c;',
      test: 'tool calls look cancelled as soon as Stop is pressed, and take later updates',
    },
    {
      file: reduce,
      find: '...settleCalls(closeMessage(c), status)',
      replace: '...closeMessage(c)',
      test: 'tool calls end without a result when the turn ends, and a late result still counts',
    },
    {
      file: 'src/chat/notes.ts',
      find: "'The agent refused. This prompt and what followed it are not part of its memory.'",
      replace: 'undefined',
      test: 'the end of a turn explains refusal',
    },
    {
      file: 'src/chat/notes.ts',
      find: ': `The agent stopped: ${stopReason}`;',
      replace: ': undefined;',
      test: 'the end of a turn explains weird',
    },
    {
      file: 'src/chat/notes.ts',
      find: 'if (c.entries.some(entry => entry.turn === c.turn && isOutput(entry))) return c;',
      replace: 'return c;',
      test: 'the end of a turn says that there was no output, until there is some',
    },
    {
      file: reduce,
      find: "append(withdrawPermissions(endTurn(c, 'ended')), {",
      replace: "append(endTurn(c, 'ended'), {",
      test: 'permissions in a conversation are withdrawn when the turn was interrupted',
    },
  ],
  'A tool call is updated and never reset': [
    {
      file: toolCalls,
      find: "if (announced === 'pending') return known;",
      replace: '',
      test: 'tool calls do not go back when they are announced after their updates',
    },
    {
      file: toolCalls,
      find: '...(kind === undefined ? {} : { toolKind: kind }),',
      replace: "toolKind: kind ?? 'other',",
      test: 'tool calls keep what a later update does not name and replace whole lists',
    },
    {
      file: toolCalls,
      find: 'const made = append(',
      replace: 'if (!isNew) return c;\n    const made = append(',
      test: 'tool calls are created by an update for an unknown id, with the defaults of the protocol',
    },
    {
      file: toolCalls,
      find: '(isNew && known.call.turn < c.turn && isFinished(known.call.status))',
      replace: 'false',
      test: 'tool calls are new ones when an agent counts its ids from the start again in the next turn',
    },
    {
      file: toolCalls,
      find: "entry.kind === 'tool' && (entry.status === 'pending' || entry.status === 'in_progress')",
      replace: "entry.kind === 'tool' && entry.status !== 'completed'",
      test: 'tool calls carry statuses and kinds that nobody knows',
    },
    {
      file: 'src/chat/terminals.ts',
      find: "(piece.replace ? '' : known.text)",
      replace: "''",
      test: 'tool calls collect terminal output, keep its end and its exit',
    },
  ],
  'Questions stand each by itself, with the words in which they were asked': [
    {
      file: toolCalls,
      find: 'if (!known || isAnotherQuestion(known.call, patch, c.turn)) {',
      replace: 'if (!known) {',
      test: 'permissions in a conversation are independent of each other, with the same id and different subjects each by itself',
    },
    {
      file: toolCalls,
      find: 'isOpen(one) ? settled(one) : one',
      replace: 'settled(one)',
      test: 'permissions in a conversation stand together on one call when nothing about it differs',
    },
    {
      file: toolCalls,
      find: "const call = without(merge(known.call, patch, isNew), 'onlyAsked');",
      replace:
        'const merged = merge(known.call, patch, isNew);\n  const call = { ...merged, permissions: merged.permissions.map(one => ({ ...one, subject: subjectOf(merged) })) };',
      test: 'permissions in a conversation keep the subject as it was when they were asked',
    },
    {
      file: 'src/chat/subject.ts',
      find: 'return command !== undefined && args ? `${command} ${args}` : command;',
      replace: 'return command;',
      test: 'permissions in a conversation name the command, else the paths, else the input',
    },
  ],
  'A change of a file is shown once, with what was there before': [
    {
      file: 'src/chat/writes.ts',
      find: 'if (diffs.length === 0 || placeOf(c.entries, nameOf.write) < 0) return c;',
      replace: 'return c;',
      test: 'a written file moves to the call that tells the same change later',
    },
    {
      file: 'src/chat/writes.ts',
      find: "if (entry?.turn !== c.turn) break;\n    if (entry.kind === 'tool'",
      replace: "if (entry?.kind === 'tool'",
      test: 'a written file stands for itself when no call of this turn names it',
    },
    {
      file: 'src/chat/toolParts.ts',
      find: 'const at = written.findIndex(write => samePath(write.path, item.path));',
      replace: 'const at = -1;',
      test: 'changes of files that the client wrote itself stand in place of the words of the agent, once per file',
    },
    {
      file: 'src/chat/toolParts.ts',
      find: 'known.change ??= { ...first, after: last.after };',
      replace: 'known.change ??= last;',
      test: 'changes of files that the client wrote itself stand in place of the words of the agent, once per file',
    },
  ],
  'What is not understood is shown all the same': [
    {
      file: reduce,
      find: "return append(c, { kind: 'unknown', label: update.label, raw: update.raw });",
      replace: 'return c;',
      test: 'state of the session shows what it does not understand',
    },
  ],
  'Words of an agent cannot look like something else': [
    {
      file: 'src/chat/visible.ts',
      find: String.raw`[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cs}\p{Default_Ignorable_Code_Point}]`,
      replace: String.raw`[\p{Cc}]`,
      test: 'visible text shows line breaks, control, direction and zero-width characters',
    },
    {
      file: 'src/chat/title.ts',
      find: "return visibleShort((words ?? 'Tool call').trim(), titleLimit);",
      replace: "return (words ?? 'Tool call').trim();",
      test: 'what the view is told gives every call a title, on one line and with nothing hidden',
    },
    {
      file: project,
      find: '{ subject: visibleLines(permission.subject) }',
      replace: '{ subject: permission.subject }',
      test: 'what the view is told shows the subject of a question line by line with nothing hidden',
    },
  ],
  'The view is told no more than it draws': [
    {
      file: project,
      find: 'hasRaw: call.rawInput !== undefined || call.rawOutput !== undefined,',
      replace: 'hasRaw: call.rawInput !== undefined, rawInput: call.rawInput,',
      test: 'what the view is told leaves raw input and output in the host',
    },
    {
      file: 'src/chat/toolParts.ts',
      find: 'if (text.length <= outputLimit) return { text, clipped: false };',
      replace: 'return { text, clipped: false };',
      test: 'what the view is told clips a long output at its beginning; the host has the whole',
    },
    {
      file: project,
      find: 'return text.length > rawLimit ? `${text.slice(0, rawLimit)}…` : text;',
      replace: 'return text;',
      test: 'what the view is told shows a bounded part of what it does not understand',
    },
    {
      file: project,
      find: String.raw`/^image\/[\w.+-]+$/.test(mimeType) && /^[A-Za-z0-9+/=\s]*$/.test(data)`,
      replace: 'true',
      test: 'what the view is told shows pictures only as data of a picture type, the rest by name',
    },
    {
      file: project,
      find: String.raw`return /^https?:\/\//i.test(uri) ?`,
      replace: 'return uri ?',
      test: 'what the view is told makes links of files and web addresses only',
    },
    {
      file: project,
      find: 'if (known?.cwd === context.cwd) return known.view;',
      replace: '',
      test: 'what the view is told is the same object for the same entry and folder',
    },
    {
      file: project,
      find: 'c.configOptions ? { configOptions: c.configOptions } : c.modes ? { modes: c.modes } : {}',
      replace: '{ configOptions: c.configOptions, modes: c.modes }',
      test: 'what the view is told offers modes only where there are no config options',
    },
  ],
  'A snapshot and numbered patches give the view exactly the state of the host': [
    {
      file: patch,
      find: "if (growth) return growth.text === '' ? [] : [{ op: 'append', id: now.id, ...growth }];",
      replace: '',
      test: 'patches tell only the new text of a message that grows',
    },
    {
      file: patch,
      find: 'const ops = difference(this.last, view);\n    this.last = view;',
      replace: 'const ops = difference(this.last, view);',
      test: 'patches applied to the old view give the new one, and leave the rest as it was, for any events',
    },
    {
      file: patch,
      find: 'seq: ++this.seq',
      replace: 'seq: this.seq',
      test: 'patches are numbered from the snapshot on',
    },
    {
      file: patch,
      find: 'now[key] ?? null',
      replace: 'now[key]',
      test: 'patches set the head by field and remove what is gone',
    },
    {
      file: patch,
      find: 'if (at < 0) throw new Error(`No entry ${id}`);',
      replace: '',
      test: 'patches that do not fit are refused',
    },
    {
      file: 'webview/store.ts',
      find: 'if (patch.seq !== this.seq + 1) return this.loseTrack();',
      replace: '',
      test: 'transcript asks for the whole state again when a patch is missing',
    },
  ],
  'Every request between host and view is answered, by nothing but a handler': [
    {
      file: channel,
      find: "for (const waiting of this.waiting.values()) waiting.reject(new Error('The channel is closed.'));",
      replace: '',
      test: 'a channel rejects what waits when it is disposed, and what comes later',
    },
    {
      file: channel,
      find: 'Object.hasOwn(handlers, name) ?',
      replace: 'name in handlers ?',
      test: 'a channel answers a request that fails, or that nobody knows, with an error',
    },
    {
      file: channel,
      find: "if (!this.ended) this.post({ type: 'answer', id, ok: false, message: messageOf(error) });",
      replace: "if (!this.ended) this.post({ type: 'answer', id, ok: true, value: {} });",
      test: 'a channel answers a request that fails, or that nobody knows, with an error',
    },
  ],
  'Find and Copy work over the whole conversation': [
    {
      file: 'src/chat/find.ts',
      find: 'entryText(entry).toLowerCase()',
      replace: 'entryText(entry)',
      test: 'find counts hits in every kind of entry, whatever the case',
    },
    {
      file: 'src/chat/entryText.ts',
      find: "return item.type === 'output' ? [item.text] : [item.diff.label, ...item.diff.preview];",
      replace: 'return [];',
      test: 'find counts hits in every kind of entry, whatever the case',
    },
    {
      file: 'src/chat/markdown.ts',
      find: "'`'.repeat(longest + 1)",
      replace: "'```'",
      test: 'a copied conversation has everything in order',
    },
  ],
};
