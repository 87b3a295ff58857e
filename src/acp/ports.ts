import { isNamed } from '../base/errors';
import type { Event } from '../base/lifecycle';
import type { AnyMessage } from '@agentclientprotocol/sdk';
import type { SignInProgram } from './authMethods';
import type { FileWrite } from '../chat/state';
import type { PermissionOutcome, PermissionRequest, Update } from '../chat/update';

/** How a link ended. `exit` is there when a process was behind it. */
export interface LinkEnd {
  reason: 'closed' | 'exited' | 'failed';
  /** One sentence. */
  message: string;
  exit?: { code: number | null; signal: string | null };
  /** The last lines of stderr, bounded. */
  stderr?: string;
}

/**
 * A way to an agent: a child process, a socket or an in-process pair. Messages are already framed and parsed:
 * `readable` gives one JSON object per message, in order; `writable` takes one per message.
 */
export interface Link {
  readonly readable: ReadableStream<AnyMessage>;
  readonly writable: WritableStream<AnyMessage>;
  /** Resolves once, when nothing more will come. Never rejects. */
  readonly ended: Promise<LinkEnd>;
  /** Ends it in the orderly way (end of input, wait, terminate); resolves when it has ended. */
  close(): Promise<void>;
}

/** What one session of a connection is told and asked. Called in the order of arrival. */
export interface SessionSink {
  /** Synchronous on purpose: order. Must not throw. */
  update(update: Update): void;
  /** Settles when answered; `signal` aborts when the agent withdraws the question, or the connection ends. */
  requestPermission(request: PermissionRequest, signal: AbortSignal): Promise<PermissionOutcome>;
  /** A file was written for the agent through `FilePort`. Must not throw. */
  fileWritten(write: FileWrite): void;
  /** A command was started for the agent through `TerminalPort`. Must not throw. */
  terminalCreated(terminal: Terminal): void;
}

export interface ReadRequest {
  path: string;
  /** 1-based. */
  line?: number;
  /** Number of lines. */
  limit?: number;
}

/** Where the agent's file requests go. Throws `FileError` for what the agent should be told. */
export interface FilePort {
  read(sessionCwd: string, request: ReadRequest, signal: AbortSignal): Promise<string>;
  /** Resolves with what the file held before (absent: there was none). */
  write(sessionCwd: string, path: string, content: string, signal: AbortSignal): Promise<{ before?: string }>;
}

/** A file request that is refused; the agent gets `message` and a code of the protocol. */
export class FileError extends Error {
  override readonly name = 'FileError';
  static override [Symbol.hasInstance] = (error: unknown): boolean => isNamed(error, 'FileError');

  constructor(
    readonly kind: 'notFound' | 'refused' | 'failed',
    message: string,
  ) {
    super(message);
  }
}

/** A command that the agent wants to be run. */
export interface TerminalRequest {
  /** A program; without `args` it may be a whole line for the shell. */
  command: string;
  args: readonly string[];
  env: Readonly<Record<string, string>>;
  cwd?: string;
  /** How much of the end of its output is kept, in bytes of UTF-8. */
  outputByteLimit?: number;
}

/** One of the two is there. */
export interface TerminalExit {
  exitCode?: number;
  signal?: string;
}

/** A command that runs, or has run. */
export interface Terminal {
  /** Unique for good: it stays in the conversation. */
  readonly id: string;
  /** The command as it was asked for. */
  readonly title: string;
  /** Standard output and standard error in the order of arrival. */
  readonly onDidOutput: Event<string>;
  /** Resolves when the command has ended and its output is complete. Never rejects. */
  readonly exited: Promise<TerminalExit>;
  output(): { output: string; truncated: boolean; exit?: TerminalExit };
  /** Ends the command with everything below it; resolves when nothing of it is left. Its output stays. */
  kill(): Promise<void>;
  /** Ends it and forgets its output. */
  release(): Promise<void>;
}

/** Where the agent's commands run. Throws `ExpectedError` for what the agent should be told. */
export interface TerminalPort {
  create(sessionCwd: string, request: TerminalRequest): Promise<Terminal>;
}

/** What this client can do for agents. What is advertised is computed from what is present. */
export interface ClientPorts {
  files?: FilePort;
  terminals?: TerminalPort;
  signIn?: SignInPort;
}

/** One value that the user is asked for. */
export interface SignInQuestion {
  name: string;
  /** What to write, in words. */
  prompt: string;
  secret: boolean;
  optional: boolean;
}

/** Where a user signs in when the agent cannot do it alone. */
export interface SignInPort {
  /**
   * Runs a program in sight of the user and resolves with its exit code; `undefined` when they closed it.
   * Throws `ExpectedError` when it cannot be run, and the signal's reason.
   */
  run(agent: SignInAgent, program: SignInProgram, signal: AbortSignal): Promise<number | undefined>;
  /**
   * Asks for values one after the other and keeps them, with `asVariables` for the environment of the agent from its
   * next start on. Resolves with `undefined` when the user gives up.
   */
  ask(
    agent: SignInAgent,
    methodId: string,
    questions: readonly SignInQuestion[],
    asVariables: boolean,
    signal: AbortSignal,
  ): Promise<Readonly<Record<string, string>> | undefined>;
  /** Forgets what was kept for an agent. */
  forget(agent: SignInAgent): Promise<void>;
}

export interface SignInAgent {
  id: string;
  name: string;
  /** The folder of its session. */
  cwd: string;
}

/** One message of the traffic, as it passed. */
export interface TrafficRecord {
  /** Epoch ms. */
  at: number;
  direction: 'toAgent' | 'fromAgent' | 'noise' | 'stderr';
  /** A JSON-RPC message, or text for `noise` and `stderr`. */
  message?: unknown;
  text?: string;
}
