import type { Params, Result } from '../src/contract/channel';
import type { HostRequests } from '../src/contract/messages';

type Name = keyof HostRequests & string;

/** The host as the parts of the view see it. Requests reject with the host's words. */
export interface Host {
  request<K extends Name>(name: K, params: Params<HostRequests, K>): Promise<Result<HostRequests, K>>;
  /** For what needs no answer; a failure is told to the user. */
  tell<K extends Name>(name: K, params: Params<HostRequests, K>): void;
}
