import { Deferred } from '../base/async';
import type { SessionSink, Terminal } from './ports';
import type { Question } from './tap';

/** What a connection knows about one of its sessions. */
export class Route {
  /** Questions that are not answered. */
  readonly questions = new Set<Question>();
  /** Rejects when the session is forgotten; never resolves. */
  readonly forgotten = new Deferred<never>();
  prompts = 0;
  /** The user stopped the turn that runs. */
  cancelled = false;
  /** What the agent has shown for this session, and so may be set. */
  offers = { modes: false, options: false };
  /** Commands that run for the session, and those that have ended and are not released; none once it is over. */
  terminals: Map<string, Terminal> | undefined = new Map();

  constructor(
    readonly sink: SessionSink,
    readonly cwd: string,
  ) {}

  /** Ends all commands; resolves when nothing of them is left. */
  async endTerminals(): Promise<void> {
    const terminals = [...(this.terminals?.values() ?? [])];
    this.terminals = undefined;
    await Promise.allSettled(terminals.map(terminal => terminal.release()));
  }
}

type Delivery = (route: Route | undefined) => void;

const heldLimit = 20_000;

/**
 * Brings what arrives to its session. While a session is being opened its id is not known yet, but may be used by the
 * agent already: what comes for unknown ids is held until then, in order.
 */
export class SessionRoutes {
  private readonly routes = new Map<string, Route>();
  private readonly held = new Map<string, Delivery[]>();
  private heldCount = 0;
  private opening = 0;

  find(sessionId: string): Route | undefined {
    return this.routes.get(sessionId);
  }

  all(): [string, Route][] {
    return [...this.routes];
  }

  /** Calls `delivery` now or when the session is known; without a route when the session is unknown for good. */
  deliver(sessionId: string, delivery: Delivery): void {
    const route = this.routes.get(sessionId);
    if (route || this.opening === 0 || this.heldCount >= heldLimit) return delivery(route);
    const held = this.held.get(sessionId) ?? [];
    this.held.set(sessionId, held);
    held.push(delivery);
    this.heldCount += 1;
  }

  /** Holds what comes for unknown ids until the returned function is called. */
  beginOpening(): () => void {
    this.opening += 1;
    return () => {
      this.opening -= 1;
      if (this.opening > 0) return;
      for (const sessionId of [...this.held.keys()]) this.release(sessionId, undefined);
    };
  }

  add(sessionId: string, route: Route): void {
    this.routes.set(sessionId, route);
    this.release(sessionId, route);
  }

  remove(sessionId: string): Route | undefined {
    const route = this.routes.get(sessionId);
    this.routes.delete(sessionId);
    return route;
  }

  private release(sessionId: string, route: Route | undefined): void {
    const held = this.held.get(sessionId) ?? [];
    this.held.delete(sessionId);
    this.heldCount -= held.length;
    for (const delivery of held) delivery(route);
  }
}
