import { useWorkbench } from './useWorkbench';

describe('Conversation in the workbench', () => {
  const workbench = useWorkbench();

  it('is open beside the editor, and the Example agent answers', async () => {
    const { view } = await workbench.open();
    const message = view.getByRole('textbox', { name: 'Message' });
    await message.fill('hello');
    await message.press('Enter');
    const feed = view.getByRole('feed', { name: 'Conversation' });
    await feed.getByRole('article').filter({ hasText: 'hello' }).first().waitFor();
    await feed.getByRole('article').filter({ hasText: 'example' }).first().waitFor();
  });
});
