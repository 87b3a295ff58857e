/** User settings that make the web workbench a quiet desktop VS Code that calls nobody. */
export const quiet = {
  // In a browser the default saves dirty documents after a second.
  'files.autoSave': 'off',
  'security.workspace.trust.enabled': false,
  'workbench.startupEditor': 'none',
  'workbench.tips.enabled': false,
  'workbench.welcomePage.walkthroughs.openOnInstall': false,
  'workbench.enableExperiments': false,
  'workbench.settings.enableNaturalLanguageSearch': false,
  // VS Code's own Chat view would take the place beside the editor, and starts a process of its own.
  'chat.disableAIFeatures': true,
  'git.openRepositoryInParentFolders': 'never',
  'git.autofetch': false,
  'telemetry.telemetryLevel': 'off',
  'telemetry.feedback.enabled': false,
  'update.mode': 'none',
  'update.showReleaseNotes': false,
  'extensions.autoUpdate': false,
  'extensions.autoCheckUpdates': false,
  'extensions.ignoreRecommendations': true,
  'remote.autoForwardPorts': false,
  'json.schemaDownload.enable': false,
  'npm.fetchOnlinePackageInfo': false,
  'typescript.disableAutomaticTypeAcquisition': true,
  // The secondary side bar is open, and there Portside is the only view.
  'workbench.secondarySideBar.defaultVisibility': 'visible',
};

/** For tests: nothing that moves, text that can be read from the page, one known shell. */
export const forTests = {
  ...quiet,
  'workbench.localHistory.enabled': false,
  'workbench.reduceMotion': 'on',
  'window.confirmBeforeClose': 'never',
  'terminal.integrated.gpuAcceleration': 'off',
  'terminal.integrated.enablePersistentSessions': false,
  'terminal.integrated.defaultProfile.linux': 'bash',
  // With arguments there is no shell integration.
  'terminal.integrated.profiles.linux': { bash: { path: '/bin/bash' } },
  'editor.accessibilitySupport': 'off',
  'editor.minimap.enabled': false,
  'diffEditor.useInlineViewWhenSpaceIsLimited': false,
};

export const themes = {
  dark: 'Visual Studio Dark',
  light: 'Visual Studio Light',
  'high-contrast': 'Default High Contrast',
  'high-contrast-light': 'Default High Contrast Light',
};
