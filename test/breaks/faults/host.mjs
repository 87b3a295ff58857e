const files = 'src/host/files.ts';
const chatView = 'src/host/chatView.ts';
const guard = 'src/host/acceptGuard.ts';
const rows = 'src/host/approvalRows.ts';
const agentList = 'src/host/agentList.ts';
const html = 'src/host/chatHtml.ts';

const reading = 'files for agents reading ';
const writing = 'files for agents writing ';
const outside =
  'files for agents outside the workspace folders nothing is read or written, whichever way the path leads';
const workspaceAgent = 'an agent of the settings of the workspace ';

/** @type {import('../faults.mjs').Table} */
export const host = {
  'A key that was meant for the editor approves nothing': [
    {
      file: guard,
      find: 'this.quietUntil = openedAt + pause;',
      replace: 'this.quietUntil = openedAt;',
      test: 'accepting does not count in the first half second, nor for a row that was reached then',
    },
    {
      file: guard,
      find: "hasRow && filter === '' && now >= this.quietUntil",
      replace: 'hasRow && now >= this.quietUntil',
      test: 'accepting does not count after typed text, which makes the list choose a row by itself',
    },
    {
      file: guard,
      find: 'this.quietUntil = Math.max(this.quietUntil, now + pause);',
      replace: '',
      test: 'accepting counts again when the text is gone and a row is reached anew',
    },
    {
      file: guard,
      find: "hasRow && filter === ''",
      replace: "filter === ''",
      test: 'accepting does not count when no row is active any more',
    },
    {
      file: guard,
      find: 'return this.reached && filter',
      replace: 'return filter',
      test: 'accepting counts for a row that was reached by arrow key or mouse',
    },
  ],
  'An approval shows all that it is about, and closes with its question': [
    {
      file: rows,
      find: "options.filter(option => option.kind.startsWith('reject'))",
      replace: 'options',
      test: 'rows of an approval offer only rejecting and the chat when the command is too long to be judged here',
    },
    {
      file: rows,
      find: '.flatMap(fitted)',
      replace: '',
      test: 'rows of an approval are no longer than the pick is wide, and nothing of the command is left out',
    },
    {
      file: rows,
      find: '...offered.map(optionRow),',
      replace: '...offered.toReversed().map(optionRow),',
      test: "rows of an approval show the whole command, then the agent's options verbatim and in its order",
    },
    {
      file: rows,
      find: String.raw`return label.replace(/\$\([A-Za-z0-9-]+(?:~[A-Za-z]+)?\)/g, '\\$&');`,
      replace: 'return label;',
      test: "rows of an approval draw no icons out of a stranger's text",
    },
    {
      file: 'src/host/approvals.ts',
      find: 'store.add(session.onDidSettlePermission(() => this.refresh()));',
      replace: '',
      suite: 'host',
      test: 'approvals close when the question is settled elsewhere',
    },
    {
      file: 'src/host/approvals.ts',
      find: 'this.putAside.clear();\n    this.refresh();\n  }\n\n  private',
      replace: 'this.refresh();\n  }\n\n  private',
      suite: 'host',
      test: 'approvals queue, leave a question in the chat on Esc, and ask it again when they are told to',
    },
    {
      file: chatView,
      find: 'this.view.badge = this.questions > 0 ?',
      replace: 'this.view.badge = this.questions < 0 ?',
      suite: 'host',
      test: 'the chat view has a badge while questions wait',
    },
  ],
  'Files are read as the user sees them, and no unsaved text is dropped': [
    {
      file: files,
      find: 'if (document?.isDirty) {',
      replace: 'if (document?.isDirty && request.line) {',
      suite: 'host',
      test: `${reading}gives the unsaved text of an open document, and no editor is opened for any file`,
    },
    {
      file: files,
      find: 'if (this.seen.get(document) !== document.version)',
      replace: 'if (!this.seen.has(document))',
      suite: 'host',
      test: `${writing}never drops what the user typed after the agent had read`,
    },
    {
      file: files,
      find: 'return document?.isDirty ? this.writeUnsaved(document, file, content) : writeDisk',
      replace: 'return writeDisk',
      suite: 'host',
      test: `${writing}into unsaved text that the agent has read: edited, saved, undone by Undo`,
    },
    {
      file: files,
      find: 'if (saved === undefined || bodyOf(saved, document) !== bodyOf(content, document))',
      replace: 'if (saved === undefined)',
      suite: 'host',
      test: `${writing}tells the agent when saving changes the text`,
    },
  ],
  'Files are exact, byte for byte': [
    {
      file: 'src/host/textEncoding.ts',
      find: "new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })",
      replace: "new TextDecoder('utf-8', { fatal: true })",
      suite: 'host',
      test: `${reading}keeps byte order marks and line ends`,
    },
    {
      file: files,
      find: 'if (wanted !== undefined && wanted !== endOf(document)) {',
      replace: 'if (wanted === undefined) {',
      suite: 'host',
      test: `${writing}into unsaved text that the agent has read: edited, saved, undone by Undo`,
    },
    {
      file: 'src/node/plainFile.ts',
      find: 'await handle.truncate(bytes.length);',
      replace: '',
      test: 'files behind links writes exactly the bytes, also fewer than before, and makes folders',
    },
    {
      file: 'src/node/plainFile.ts',
      find: 'await mkdir(path.dirname(file), { recursive: true });',
      replace: '',
      test: 'files behind links writes exactly the bytes, also fewer than before, and makes folders',
    },
    {
      file: 'src/host/textEdit.ts',
      find: 'afterLines(text, 0, line - 1)',
      replace: 'afterLines(text, 0, line)',
      test: 'text edits give the lines that are asked for, with their ends',
    },
  ],
  'Nothing outside the workspace is touched, and only plain files of text': [
    {
      file: files,
      find: 'if (!isInside(real, roots, process.platform))',
      replace: 'if (!isInside(wanted, roots, process.platform))',
      suite: 'host',
      test: outside,
    },
    {
      file: 'src/node/paths.ts',
      find: "way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way)",
      replace: 'file.startsWith(folder)',
      test: 'paths takes a folder for its own inside, and nothing that only begins like it',
    },
    {
      file: 'src/node/paths.ts',
      find: 'return isLink ? realPathOf(path.resolve(path.dirname(real), await readlink(real)), links + 1) : real;',
      replace: 'return real;',
      test: 'files behind links finds the real path of what is there and of what is not',
    },
    {
      file: 'src/node/plainFile.ts',
      find: 'if (found.isFile()) return;',
      replace: 'if (!found.isDirectory()) return;',
      test: 'files behind links refuses folders, FIFOs and links at once',
    },
    {
      file: 'src/host/textEncoding.ts',
      find: 'if (!isWide && bytes.subarray(0, sample).includes(0)) throw',
      replace: 'if (isWide && bytes.subarray(0, sample).includes(0)) throw',
      suite: 'host',
      test: `${reading}refuses folders, FIFOs, devices and binary files at once`,
    },
    {
      file: files,
      find: 'if (text === undefined) throw notFound(request.path);',
      replace: "if (text === undefined) return '';",
      suite: 'host',
      test: `${reading}says that a file is missing`,
    },
    {
      file: 'src/host/missingFiles.ts',
      find: "error instanceof FileError && error.kind === 'notFound'",
      replace: 'error instanceof FileError',
      test: 'files for an agent that takes no error for a missing one are refused, and fail, as for any other agent',
    },
  ],
  'A diff shows the texts of its own change, for good': [
    {
      file: files,
      find: 'return before === undefined ? {} : { before };',
      replace: 'return {};',
      suite: 'host',
      test: `${writing}makes the file and its folders, and tells what was there before`,
    },
    {
      file: 'src/host/virtualDocuments.ts',
      find: 'text: hash(text) }',
      replace: "text: 'x' }",
      suite: 'host',
      test: 'diffs of the same file show each its own texts',
    },
    {
      file: 'src/host/virtualDocuments.ts',
      find: 'for (const text of this.lookUp()) if (hash(text) === key) return text;',
      replace: '',
      suite: 'host',
      test: 'diffs find their texts again in a conversation that was restored',
    },
  ],
  'In Restricted Mode nothing starts, and the view says why': [
    {
      file: agentList,
      find: 'if (!vscode.workspace.isTrusted)',
      replace: 'if (id !== exampleId && !vscode.workspace.isTrusted)',
      suite: 'host',
      test: 'in Restricted Mode no agent is started, not even the one that ships inside',
    },
    {
      file: 'src/host/sessionStarter.ts',
      find: "if (blockedReason() === 'untrusted')",
      replace: "if (blockedReason() === 'noFolder')",
      suite: 'host',
      test: 'in Restricted Mode no message is sent, and no session begins',
    },
    {
      file: 'src/host/folders.ts',
      find: "if (!vscode.workspace.isTrusted) return 'untrusted';",
      replace: '',
      suite: 'host',
      test: 'in Restricted Mode the view says why nothing starts',
    },
    {
      file: 'package.json',
      find: '        "portside.environment",\n',
      replace: '',
      test: 'the manifest runs beside the workspace, in limited ways where it is not trusted',
    },
    {
      file: 'package.json',
      find: '"activationEvents": [],',
      replace: '"activationEvents": [],\n  "enabledApiProposals": ["chatProvider"],',
      test: 'the manifest uses no proposed API',
    },
  ],
  'A command of the workspace is confirmed once for each content': [
    {
      file: agentList,
      find: 'if (comesFromWorkspace(id, folder)) await this.confirmOnce(plan);',
      replace: '',
      suite: 'host',
      test: `${workspaceAgent}does not start when it is not confirmed, and is asked again`,
    },
    {
      file: agentList,
      find: "createHash('sha256').update(canonical(plan))",
      replace: "createHash('sha256').update(plan.agentId)",
      suite: 'host',
      test: `${workspaceAgent}is confirmed once for each content`,
    },
    {
      file: agentList,
      find: 'canonical(entryOf(effective, id)) !== canonical(entryOf(user, id))',
      replace: 'entryOf(user, id) === undefined',
      suite: 'host',
      test: 'an agent of the settings of the user is confirmed when the workspace changes a part of it',
    },
  ],
  'Settings of the user reach agents': [
    {
      file: 'src/agents/proxyEnvironment.ts',
      find: 'added[name.toLowerCase()] = value;',
      replace: '',
      test: 'proxies reach agents in both spellings',
    },
    {
      file: 'src/agents/proxyEnvironment.ts',
      find: 'if (!value || present.has(name)) continue;',
      replace: 'if (!value) continue;',
      test: 'proxies are left alone where the environment has them',
    },
    {
      file: 'src/host/saveBeforePrompt.ts',
      find: "if (setting === 'ask' && (await ask(unsaved)) === send) return;",
      replace: '',
      suite: 'host',
      test: 'before a message is sent the user is asked, and without an answer nothing is sent',
    },
    {
      file: 'src/host/saveBeforePrompt.ts',
      find: "setting === 'never' ? [] : unsavedDocuments()",
      replace: 'unsavedDocuments()',
      suite: 'host',
      test: 'before a message is sent unsaved files stay as they are where the user never wants it',
    },
  ],
  'Links lead to the web and to files of the workspace, and nowhere else': [
    {
      file: 'src/host/links.ts',
      find: "/^[a-z][a-z0-9+.-]+:/i.test(name) || name === ''",
      replace: "name === ''",
      test: 'links lead nowhere else',
    },
    {
      file: 'src/host/links.ts',
      find: String.raw`file.startsWith('//') || file.startsWith('\\\\')`,
      replace: "file === ''",
      test: 'links lead nowhere else',
    },
    {
      file: 'src/host/viewRequests.ts',
      find: 'const real = await realPathOf(file);',
      replace: 'const real = file;',
      suite: 'host',
      test: 'what the view asks for opens no file outside of it, whichever way the path leads',
    },
    {
      file: 'src/host/viewRequests.ts',
      find: "else throw new ExpectedError('linkRefused', 'Only web addresses and files of the workspace can be opened.');",
      replace: 'else await vscode.env.openExternal(vscode.Uri.parse(href));',
      suite: 'host',
      test: 'what the view asks for follows no link that is neither of the web nor of a file',
    },
  ],
  'The page of the view loads nothing remote and runs nothing inline': [
    {
      file: html,
      find: '"default-src \'none\'",',
      replace: '',
      test: 'the page of the chat view loads nothing that is not its own and runs no inline code',
    },
    {
      file: html,
      find: '`style-src ${source}`',
      replace: "`style-src ${source} 'unsafe-inline'`",
      test: 'the page of the chat view loads nothing that is not its own and runs no inline code',
    },
    {
      file: html,
      find: '"require-trusted-types-for \'script\'",',
      replace: '',
      test: 'the page of the chat view makes HTML of text only by the policy of its components',
    },
    {
      file: chatView,
      find: 'localResourceRoots: [dist]',
      replace: 'localResourceRoots: []',
      suite: 'ui',
      test: 'Conversation in the workbench is open beside the editor, and the Example agent answers',
    },
  ],
  'The view gets a message a frame at most, and none while it is hidden': [
    {
      file: 'src/base/async.ts',
      find: 'const wait = Math.max(0, this.last + this.ms - performance.now());',
      replace: 'const wait = 0;',
      test: 'the pace of a throttle leaves its time between any two runs',
    },
    {
      file: chatView,
      find: 'const frame = 17;',
      replace: 'const frame = 1;',
      suite: 'host',
      test: 'the chat view gets at most one message a frame, however often something changes',
    },
    {
      file: chatView,
      find: 'if (this.view === view) this.patches = undefined;',
      replace: '',
      suite: 'host',
      test: 'the chat view is told nothing while it is hidden, and everything when its page is there again',
    },
  ],
  'The host holds what the view does not draw': [
    {
      file: 'src/host/viewRequests.ts',
      find: 'findInConversation(model.state.entries, query)',
      replace: 'findInConversation(model.state.entries.slice(-1), query)',
      suite: 'host',
      test: 'what the view asks for finds in all that is said, drawn or not',
    },
  ],
  'Activation registers every command, and loads little': [
    {
      file: 'src/host/commands.ts',
      find: "'portside.focusChat': () => chat.focus(),",
      replace: '',
      suite: 'host',
      test: 'the extension starts without an error and registers every command that it contributes',
    },
    {
      file: 'src/extension.ts',
      find: "import('./connect/connectPlan')",
      replace: "import('./connect/connectPlan.js')",
      test: 'the bundles keep the SDK of the protocol and its validator out of what activation loads',
    },
  ],
  'What the parts do is put together in the workbench': [
    {
      file: 'src/extension.ts',
      find: 'storageUri && own(openLedger(storageUri.fsPath, line => log.warn(line)));',
      replace: 'undefined;',
      suite: 'ui',
      test: 'The chat survives a reload, with transcript, place and draft',
    },
    {
      file: 'src/host/folders.ts',
      find: 'if (more.length === 0) return first.uri.fsPath;',
      replace: 'if (more.length < 9) return first.uri.fsPath;',
      suite: 'ui',
      test: 'Folders in the workbench are asked for once per session when there are several',
    },
  ],
  'The Example agent does only what it may': [
    {
      file: 'src/agent/exampleTurn.ts',
      find: "return chosen === 'allow' || chosen === 'always';",
      replace: 'return true;',
      test: 'the Example agent changes nothing that it may not',
    },
  ],
};
