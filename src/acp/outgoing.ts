import type { ContentBlock as WireBlock } from '@agentclientprotocol/sdk';
import type { ContentBlock } from '../chat/update';
import type { AgentFacts } from './lenientSession';

/**
 * A prompt's content as it goes to the agent (specification page `content`). What the agent does not take is sent in
 * the nearest form that every agent takes: a link, or a line of text that names it.
 */
export function toWire(content: readonly ContentBlock[], facts: AgentFacts): WireBlock[] {
  return content.map(block => blockToWire(block, facts));
}

function blockToWire(block: ContentBlock, facts: AgentFacts): WireBlock {
  switch (block.type) {
    case 'text':
      return { type: 'text', text: block.text };
    case 'image':
      if (facts.image) return { ...block };
      return block.uri ? link(block.uri, block.mimeType) : placeholder('image', block.mimeType);
    case 'audio':
      return facts.audio ? { ...block } : placeholder('audio', block.mimeType);
    case 'resourceLink':
      return { ...block, type: 'resource_link' };
    case 'resource':
      return resourceToWire(block, facts);
    case 'unknown':
      return placeholder('content', block.label);
  }
}

function resourceToWire(block: ContentBlock & { type: 'resource' }, facts: AgentFacts): WireBlock {
  const { uri, text, blob, mimeType } = block;
  const base = mimeType === undefined ? { uri } : { uri, mimeType };
  if (facts.embeddedContext && text !== undefined) return { type: 'resource', resource: { ...base, text } };
  if (facts.embeddedContext && blob !== undefined) return { type: 'resource', resource: { ...base, blob } };
  return link(uri, mimeType);
}

function link(uri: string, mimeType: string | undefined): WireBlock {
  const name = uri.slice(uri.lastIndexOf('/') + 1) || uri;
  return mimeType === undefined ? { type: 'resource_link', uri, name } : { type: 'resource_link', uri, name, mimeType };
}

function placeholder(kind: string, label: string): WireBlock {
  return { type: 'text', text: `[${kind}: ${label}]` };
}
