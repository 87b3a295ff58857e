/**
 * @typedef {object} Fault
 * @property {string} file
 * @property {string} find text that is in the file once
 * @property {string} replace what stands there instead
 * @property {'unit' | 'host' | 'ui' | 'realAgents'} suite
 * @property {string} test full title of the test that has to turn red
 */

/** @type {Fault[]} */
export const faults = [
  // What comes from an agent
  {
    file: 'src/node/lines.ts',
    find: "Buffer.concat(this.parts, this.size).toString('utf8')",
    replace: "this.parts.map(part => Buffer.from(part).toString('utf8')).join('')",
    suite: 'unit',
    test: 'LineSplitter joins a character that is cut at every byte',
  },
  {
    file: 'src/node/lines.ts',
    find: 'const text = trimEscapes(line);',
    replace: 'const text = line;',
    suite: 'unit',
    test: 'readFrame never throws, and finds every object behind escape sequences',
  },
  {
    file: 'src/acp/tap.ts',
    find: 'if (settles) await new Promise(resolve => setTimeout(resolve, 0));',
    replace: '',
    suite: 'unit',
    test: 'order delivers every update ahead of a response before the response, and later ones after it',
  },
  {
    file: 'src/acp/tap.ts',
    find: 'controller.abort();\n    return true;',
    replace: 'return true;',
    suite: 'unit',
    test: 'questions is withdrawn by $/cancel_request, and answered so',
  },
  // Approvals
  {
    file: 'src/acp/connection.ts',
    find: "offered && optionId !== undefined ? { outcome: 'selected', optionId } : { outcome: 'cancelled' }",
    replace: "{ outcome: 'selected', optionId: optionId ?? '' }",
    suite: 'unit',
    test: 'questions gives back only what was offered',
  },
  {
    file: 'src/session/permissions.ts',
    find: 'if (offered) this.settle(requestId, optionId);',
    replace: 'this.settle(requestId, optionId);',
    suite: 'unit',
    test: 'a session questions are told, stand in the transcript, and are answered only with an option that was offered',
  },
  // Processes
  {
    file: 'src/node/childEnvironment.ts',
    find: "  'ELECTRON_RUN_AS_NODE',\n",
    replace: '',
    suite: 'unit',
    test: 'childEnvironment tells only a child on the own runtime to be Node',
  },
  {
    file: 'src/node/closingPlan.ts',
    find: "if (platform === 'win32')",
    replace: 'if (false)',
    suite: 'unit',
    test: 'closingPlan ends the whole tree by force on Windows, which has no polite signal',
  },
  // What the user sees
  {
    file: 'src/host/chatView.ts',
    find: 'localResourceRoots: [dist]',
    replace: 'localResourceRoots: []',
    suite: 'ui',
    test: 'Conversation in the workbench is open beside the editor, and the Example agent answers',
  },
];
