import { mount } from 'svelte';
import App from './App.svelte';
import { settings } from './state/settings.svelte';
import './styles/tokens.css';
import './styles/base.css';

const target = document.getElementById('app');
if (target) {
  // The language must be known before the first word is drawn.
  await settings.load();
  mount(App, { target });
}
