//go:build cgo

package treesit

import (
	"strings"

	"retrylab/study/finding"
)

// scope is scopeOf, also by what a function of the repository works on.
func (s *scan) scope(op *node) string {
	if def, ok := newWorld(s.u, s.load, static).callee(op, nil); ok && def.node != nil && sameMachine(def.node.a) {
		return finding.ScopeLocal
	}
	return scopeOf(op)
}

// sameMachine: the code talks to another process of the machine by name.
func sameMachine(body *node) bool {
	found := false
	body.walk(func(k *node) bool {
		if k.op == opName || k.op == opMember {
			low := strings.ToLower(strings.ReplaceAll(k.name, "_", ""))
			for _, w := range []string{"afunix", "unixsocket", "unixdomainsocket", "localsocket", "namedpipe"} {
				found = found || strings.Contains(low, w)
			}
		}
		return !found
	})
	return found
}

// scopeOf guesses whether an operation is on the machine itself: its name or
// module says so, what it works on was opened as a file, or its failures are
// those of files.
func scopeOf(op *node) string {
	p := strings.ToLower(op.a.path())
	for _, pre := range []string{"os.", "shutil.", "fs.", "fse.", "fsp.", "files.", "path.", "tempfile.", "pathlib.", "fspromises.", "fcntl.", "msvcrt.", "psutil."} {
		if strings.HasPrefix(p, pre) {
			return finding.ScopeLocal
		}
	}
	if finding.LocalWord(op.a.last()) || p == "open" || startsProcess(op) && !remoteProgram(op) || besideProcess(op) || ownMachine(op) || fileFailures(op) {
		return finding.ScopeLocal
	}
	if root := receiver(op); root != nil && opensFile(root) {
		return finding.ScopeLocal
	}
	return finding.ScopeRemote
}

// startsProcess: the call starts a program on this machine.
func startsProcess(k *node) bool {
	if k.op != opCall || k.a == nil {
		return false
	}
	p := k.a.path()
	switch k.a.last() {
	case "create_subprocess_exec", "create_subprocess_shell", "ProcessBuilder", "execFile", "execFileSync", "spawnSync":
		return true
	case "spawn":
		return p == "spawn" || p == "child_process.spawn"
	}
	return strings.HasPrefix(p, "subprocess.") || strings.HasSuffix(p, "getRuntime().exec")
}

// besideProcess: what is tried starts a local program, and the call is no request
// before that: the program is what fails.
func besideProcess(op *node) bool {
	t := op.up(opTry, opFunc)
	if t == nil || t.op != opTry || !op.within(t.a) {
		return false
	}
	local, remote := false, false
	t.a.walkHere(func(k *node) bool {
		if startsProcess(k) && (k.line <= op.line || !requests(op)) {
			local = true
			remote = remote || remoteProgram(k)
		}
		return true
	})
	return local && !remote
}

// requests: the call's name leaves no doubt that it goes to a dependency.
func requests(op *node) bool {
	low := strings.ToLower(op.a.last())
	for _, w := range []string{"request", "fetch", "download", "upload", "post", "publish", "connect", "query", "send", "urlopen", "pull", "push"} {
		if strings.Contains(low, w) {
			return true
		}
	}
	return false
}

// remoteProgram: the program started is one that talks to another machine.
func remoteProgram(op *node) bool {
	found := false
	op.walk(func(k *node) bool {
		if k.op == opStr {
			for _, w := range strings.Fields(k.name) {
				switch w {
				case "git", "curl", "wget", "ssh", "scp", "rsync", "docker", "kubectl", "helm", "pip", "npm", "yarn", "pnpm", "apt-get", "gcloud", "aws", "az":
					found = true
				}
			}
		}
		return !found
	})
	return found
}

// ownMachine: an argument spells out the machine itself as the address.
func ownMachine(op *node) bool {
	found := false
	for _, a := range op.list {
		a.walk(func(k *node) bool {
			found = found || k.op == opStr && (k.name == "localhost" || k.name == "127.0.0.1" || k.name == "::1" ||
				strings.Contains(k.name, "://localhost") || strings.Contains(k.name, "://127.0.0.1"))
			return !found
		})
	}
	return found
}

// fileFailures: the nearest handlers are for failures only files and locks have.
func fileFailures(op *node) bool {
	t := op.up(opTry, opFunc)
	if t == nil || t.op != opTry || !op.within(t.a) {
		return false
	}
	hit := false
	for _, h := range t.list {
		if h.op == opHandler && systemCode(h.a) {
			return true
		}
	}
	for _, h := range t.list {
		for _, k := range h.list {
			switch k.last() {
			case "FileExistsError", "PermissionError", "BlockingIOError", "FileAlreadyExistsException", "OverlappingFileLockException", "DirectoryNotEmptyException", "AccessDeniedException":
				hit = true
			case "InterruptedException":
			default:
				return false
			}
		}
	}
	return hit
}

// systemCode: the handler looks at a code that only local calls give: interrupted,
// busy, shared with another process.
func systemCode(h *node) bool {
	found := false
	h.walkHere(func(k *node) bool {
		if k.op == opStr || k.op == opName || k.op == opMember {
			switch k.name {
			case "EINTR", "EBUSY", "EPERM", "EACCES", "EMFILE", "ENOTEMPTY", "ETXTBSY", "EEXIST", "winerror", "ERROR_SHARING_VIOLATION":
				found = true
			}
		}
		return !found
	})
	return found
}

// receiver is the variable a call is made on.
func receiver(op *node) *node {
	n := op.a
	for n != nil && (n.op == opMember || n.op == opCall) {
		n = n.a
	}
	if n == nil || n.op != opName || n == op.a || isSelf(n) {
		return nil
	}
	return n
}

// opensFile: the variable is given an open file or a process in its function.
func opensFile(v *node) bool {
	fn := v.up(opFunc)
	if fn == nil {
		return false
	}
	found := false
	fn.a.walkHere(func(k *node) bool {
		if k.op != opAssign || k.a == nil || k.a.op != opName || k.a.name != v.name || k.b == nil || k.b.op != opCall {
			return !found
		}
		switch k.b.a.path() {
		case "open", "FileOutputStream", "FileInputStream", "FileWriter", "FileReader", "RandomAccessFile", "FileChannel.open", "Files.newByteChannel", "fs.createWriteStream", "fs.createReadStream", "subprocess.Popen", "ProcessBuilder", "ServerSocket", "ServerSocketChannel.open":
			found = true
		}
		return !found
	})
	return found
}
