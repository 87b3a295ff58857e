/** @type {import('../faults.mjs').Table} */
export const protocol = {
  'What an agent writes is read line by line, and no byte of it is lost': [
    {
      file: 'src/node/lines.ts',
      find: "Buffer.concat(this.parts, this.size).toString('utf8')",
      replace: "this.parts.map(part => Buffer.from(part).toString('utf8')).join('')",
      test: 'LineSplitter joins a character that is cut at every byte',
    },
    {
      file: 'src/node/lines.ts',
      find: 'const text = trimEscapes(line);',
      replace: 'const text = line;',
      test: 'readFrame never throws, and finds every object behind escape sequences',
    },
    {
      file: 'src/node/lines.ts',
      find: '    this.parts.push(part);',
      replace: '    this.parts = [part];',
      test: 'LineSplitter gives the same lines however the bytes are cut',
    },
    {
      file: 'src/node/lines.ts',
      find: 'if (this.size > this.limit) {',
      replace: 'if (this.size > 2 * this.limit) {',
      test: 'LineSplitter takes a line up to its limit and refuses a longer one with words',
    },
    {
      file: 'src/node/lines.ts',
      find: 'const text = trimEscapes(line);',
      replace: 'const text = line.trim();',
      test: 'readFrame finds the message with colours before it',
    },
    {
      file: 'src/connect/childLink.ts',
      find: "if (frame.kind === 'noise') this.noise.add(frame.text);",
      replace: '',
      test: 'what an agent writes may be noise, which is never answered; every byte to the agent is a message on a line',
    },
  ],
  'Updates, questions and answers come in the order in which they were sent': [
    {
      file: 'src/acp/tap.ts',
      find: 'if (settles) await new Promise(resolve => setTimeout(resolve, 0));',
      replace: '',
      test: 'order delivers every update ahead of a response before the response, and later ones after it',
    },
    {
      file: 'src/acp/connection.ts',
      find: 'if (!route) return question.refuse(errorCodes.invalidParams, `Unknown session: ${question.sessionId}`);',
      replace: 'if (!route) return;',
      test: 'order answers what was held when no session comes of it',
    },
    {
      file: 'src/acp/sessionRoutes.ts',
      find: 'if (route || this.opening === 0 || this.heldCount >= heldLimit) return delivery(route);',
      replace: 'return delivery(route);',
      test: 'order holds what comes for a session before its id is known',
    },
    {
      file: 'src/connect/childLink.ts',
      find: 'await new Promise(resolve => setImmediate(resolve));',
      replace: '',
      test: 'order over a real pipe lets the extension host do other things during 10,000 updates',
    },
  ],
  'Every question of the agent is settled, and only with what was offered': [
    {
      file: 'src/acp/tap.ts',
      find: 'controller.abort();\n    return true;',
      replace: 'return true;',
      test: 'questions is withdrawn by $/cancel_request, and answered so',
    },
    {
      file: 'src/acp/connection.ts',
      find: "offered && optionId !== undefined ? { outcome: 'selected', optionId } : { outcome: 'cancelled' }",
      replace: "{ outcome: 'selected', optionId: optionId ?? '' }",
      test: 'questions gives back only what was offered',
    },
    {
      file: 'src/acp/tap.ts',
      find: '    } else if (this.open.has(id)) {',
      replace: '    } else if (id === undefined) {',
      test: 'questions refuses an id that is still open, and takes it again afterwards',
    },
    {
      file: 'src/acp/tap.ts',
      find: "if (controller !== 'sdk') controller.abort();",
      replace: '{}',
      test: 'questions lets go when the agent dies',
    },
    {
      file: 'src/acp/connection.ts',
      find: "if (route.cancelled && route.prompts > 0) return question.answer({ outcome: 'cancelled' });",
      replace: '',
      test: 'questions is cancelled by Stop, also when it comes after it, until the turn has ended',
    },
  ],
  'Agents get the environment of the user, and nothing of the host': [
    {
      file: 'src/node/childEnvironment.ts',
      find: "  'ELECTRON_RUN_AS_NODE',\n",
      replace: '',
      test: 'childEnvironment tells only a child on the own runtime to be Node',
    },
    {
      file: 'src/node/childEnvironment.ts',
      find: "  'NODE_OPTIONS',",
      replace: '',
      test: 'childEnvironment leaves out what belongs to the host on linux',
    },
    {
      file: 'src/agent/example.ts',
      find: "delete process.env['ELECTRON_RUN_AS_NODE'];",
      replace: '',
      test: 'the Example agent is told to be Node by a variable that it does not hand on',
    },
  ],
  'Closing leaves no process': [
    {
      file: 'src/node/closingPlan.ts',
      find: "if (platform === 'win32')",
      replace: 'if (false)',
      test: 'closingPlan ends the whole tree by force on Windows, which has no polite signal',
    },
    {
      file: 'src/node/child.ts',
      find: "for (const signal of ['SIGTERM', 'SIGKILL'] as const) {",
      replace: "for (const signal of ['SIGTERM'] as const) {",
      test: 'closing ends what an agent leaves behind when it goes by itself',
    },
    {
      file: 'src/node/child.ts',
      find: 'for (const child of alive) killTreeNow(child.pid, child.platform);',
      replace: '',
      test: 'Child ends with this process, whatever happens to it',
    },
    {
      file: 'src/node/closingPlan.ts',
      find: 'quick: 2500,',
      replace: 'quick: 7000,',
      test: 'closingPlan ends within the 5 s that VS Code gives when it closes, on linux',
    },
  ],
  'Other spellings of the protocol are understood': [
    {
      file: 'src/acp/tap.ts',
      find: 'if (error == null) return',
      replace: 'if (error === undefined) return',
      test: 'answers of the agent understands one with an error that is null beside the result',
    },
    {
      file: 'src/acp/tap.ts',
      find: 'return this.sent.has(number) ? number : undefined;',
      replace: 'return undefined;',
      test: 'answers of the agent understands one with the id as a string',
    },
    {
      file: 'src/acp/lenient.ts',
      find: "asString(update['currentModeId']) ?? asString(update['modeId'])",
      replace: "asString(update['currentModeId'])",
      test: 'readUpdate reads a mode under the name of the documentation',
    },
    {
      file: 'src/acp/lenientSession.ts',
      find: 'if (configOptions && configOptions.length > 0) return { sessionId, configOptions };',
      replace: '',
      test: 'readOpened takes only options when there are any',
    },
  ],
  'The handshake agrees on version 1 and what is there, and ends in time': [
    {
      file: 'src/acp/connection.ts',
      find: 'if (version !== 1) {',
      replace: 'if (Number(version) !== 1) {',
      test: 'initialize refuses an answer with version "1"',
    },
    {
      file: 'src/acp/connection.ts',
      find: 'const roots = this.facts.additionalDirectories ? additionalDirectories : undefined;',
      replace: 'const roots = additionalDirectories;',
      test: 'what is not offered is not sent with an agent that offers nothing',
    },
    {
      file: 'src/acp/connection.ts',
      find: '...(ports.files ? { fs: { readTextFile: true, writeTextFile: true } } : {}),',
      replace: 'fs: { readTextFile: true, writeTextFile: true },',
      test: 'initialize does not offer files without a port for them, and refuses them then',
    },
    {
      file: 'src/connect/stdio.ts',
      find: 'const timer = seconds > 0 ?',
      replace: 'const timer = seconds > 5 ?',
      test: 'the handshake ends after its time limit, with what the agent wrote, and leaves no process',
    },
    {
      file: 'src/connect/stdio.ts',
      find: '    void link.close(true);\n    if (signal.aborted) throw signal.reason;',
      replace: '    if (signal.aborted) throw signal.reason;',
      test: 'the handshake can be given up at any time',
    },
  ],
  'Requests of the agent are answered in words that it understands, and tell nothing of ours': [
    {
      file: 'src/acp/fileRequests.ts',
      find: 'return RequestError.internalError({ path });',
      replace: 'return RequestError.internalError({ path }, String(error));',
      test: 'requests of the agent tells nothing of ours when a handler breaks',
    },
    {
      file: 'src/acp/fileRequests.ts',
      find: 'return RequestError.resourceNotFound(path);',
      replace: 'return RequestError.internalError({ path });',
      test: 'requests of the agent tells agents what they look for when a file is missing, and why one is refused',
    },
  ],
  'Traffic shows no secrets': [
    {
      file: 'src/acp/secrets.ts',
      find: "if (name === 'env' || name === 'headers') return maskPairs(field);",
      replace: "if (name === 'env') return maskPairs(field);",
      test: 'maskSecrets masks every value of env and headers, in both forms, and keeps the names',
    },
  ],
};
