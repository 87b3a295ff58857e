CODE_SERVER=4.139.1 # carries VS Code 1.139.1
CODE_SERVER_SHA='sha512-fUYvJVdz4ZoVJfakGiGWXFMpF8K1ObsrpGvX17ZxNpKOzdNHs7lANT670JTr4ZhA8DnWqyvvmFG/d3HV9Yy6ew=='
NODE=24.21.0
NODE_SHA='sha512-3nULszZ5X0fciYpG0t6TrdApJzAn8+FlINP6OiMX7V8HrvpATPN936U1LlReOJriLRa4e8yEqQBYCnLyPNAs7Q=='
TYPESCRIPT=6.0.3 # what VS Code's own TypeScript extension runs
TYPESCRIPT_SHA='sha512-y2TvuxSZPDyQakkFRPZHKFm+KKVqIisdg9/CZwm9ftvKXLP8NRWj38/ODjNbr43SsoXqNuAisEf1GdCxqWcdBw=='
COMPILE='@vscode/spdlog @vscode/native-watchdog'
NATIVE="$COMPILE node-pty @parcel/watcher"
# 94 MB that only an account or diagrams need. The workbench has a list of its built-in web extensions: one that is in
# that list and missing on disk fails when it is activated, so not more is left out.
LEAVE_OUT='copilot microsoft-authentication mermaid-markdown-features'
