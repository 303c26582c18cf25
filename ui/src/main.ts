import { mount } from 'svelte';
import App from './App.svelte';
import { href } from './lib/route';
import { models } from './state/models.svelte';
import { settings } from './state/settings.svelte';
import { wizard } from './state/wizard.svelte';
import './styles/tokens.css';
import './styles/base.css';

const target = document.getElementById('app');
if (target) {
  // The language must be known before the first word is drawn, and the step before the first page.
  const [step] = await Promise.all([wizard.load(), settings.load(), models.load()]);
  if (!location.hash) location.replace(href({ page: 'new', step }));
  mount(App, { target });
}
