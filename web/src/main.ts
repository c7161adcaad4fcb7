import { mount } from 'svelte';
import './app.css';
import App from './App.svelte';
import { speak } from '$lib/i18n.svelte';
import { keepRoute } from '$lib/router.svelte';
import { keepSettings, spoken } from '$lib/settings.svelte';
import { keepShell } from '$lib/shell';
import { wakeSounds } from '$lib/sounds';
import { shared } from '$lib/texts';

keepRoute();
await speak(spoken());
await shared.ready();
keepSettings();
wakeSounds();
mount(App, { target: document.getElementById('app')! });
keepShell();
