CODE_SERVER=4.106.3 # carries VS Code 1.106.3
CODE_SERVER_SHA='sha512-GCspZ2Naj4/1pCVgfD3swU0/6RWGiodqeugwYLofT4rShPMCJXiw+hQYNREQlA6Yp53vJuRlR9ccrfIPLNQAKw=='
NODE=22.20.0
NODE_SHA='sha512-CWyKqAkT1fUBr1IDD/JhDAYpUrBraNmSM9ndREbhAp14QmgBqq8CmgWHITSK1YXzJj+hWTEC1+F6gOgVFLIaSg=='
TYPESCRIPT=5.8.3 # what VS Code's own TypeScript extension runs
TYPESCRIPT_SHA='sha512-p1diW6TqL9L07nNxvRMM7hMMw4c5XOo/1ibL4aAIGmSAt9slTE1Xgw5KWuof2uTOvCg9BY7ZRi+GaF+7sfgPeQ=='
COMPILE='@vscode/spdlog native-watchdog node-pty'
NATIVE="$COMPILE @parcel/watcher"
LEAVE_OUT='microsoft-authentication'
