// A witness by C2SP tlog-witness and tlog-cosignature, made of the Go checksum database's packages, which know nothing of ours: it
// signs a head only if the log has signed it and it goes on from the last one that it has seen.
//
//	witness <address> <name> <verifier key of a log file>
//
// The file may come later: it is read at each question. Prints its own verifier key, and then serves.
package main

import (
	"bufio"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

const cosignature = 4

type signer struct {
	name string
	key  ed25519.PrivateKey
}

func (s signer) encoded() []byte {
	return append([]byte{cosignature}, s.key.Public().(ed25519.PublicKey)...)
}
func (s signer) Name() string { return s.name }
func (s signer) KeyHash() uint32 {
	sum := sha256.Sum256(append([]byte(s.name+"\n"), s.encoded()...))
	return binary.BigEndian.Uint32(sum[:])
}
func (s signer) Sign(text []byte) ([]byte, error) {
	now := uint64(time.Now().Unix())
	signed := ed25519.Sign(s.key, fmt.Appendf(nil, "cosignature/v1\ntime %d\n%s", now, text))
	return append(binary.BigEndian.AppendUint64(nil, now), signed...), nil
}

type witness struct {
	signer
	keyFile string
	mutex   sync.Mutex
	seen    tlog.Tree
}

func main() {
	address, name, keyFile := os.Args[1], os.Args[2], os.Args[3]
	_, key, err := ed25519.GenerateKey(nil)
	must(err)
	w := &witness{signer: signer{name, key}, keyFile: keyFile}
	listener, err := net.Listen("tcp", address)
	must(err)
	id := binary.BigEndian.AppendUint32(nil, w.KeyHash())
	fmt.Printf("%s+%s+%s %s\n", name, hex.EncodeToString(id), base64.StdEncoding.EncodeToString(w.encoded()), listener.Addr())
	http.HandleFunc("POST /add-checkpoint", w.add)
	must(http.Serve(listener, nil))
}

func (w *witness) add(out http.ResponseWriter, in *http.Request) {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	old, proof, told, err := readBody(in.Body)
	if err != nil {
		http.Error(out, err.Error(), http.StatusBadRequest)
		return
	}
	vkey, err := os.ReadFile(w.keyFile)
	if err != nil {
		http.Error(out, "a log that is not known here", http.StatusNotFound)
		return
	}
	log, err := note.NewVerifier(strings.TrimSpace(string(vkey)))
	must(err)
	opened, err := note.Open(told, note.VerifierList(log))
	if err != nil {
		http.Error(out, err.Error(), http.StatusForbidden)
		return
	}
	lines := strings.Split(opened.Text, "\n")
	size, err := strconv.ParseInt(lines[1], 10, 64)
	must(err)
	hash, err := tlog.ParseHash(lines[2])
	must(err)
	if old != w.seen.N {
		out.Header().Set("content-type", "text/x.tlog.size")
		out.WriteHeader(http.StatusConflict)
		fmt.Fprintf(out, "%d\n", w.seen.N)
		return
	}
	if old > 0 {
		if err := tlog.CheckTree(proof, size, hash, old, w.seen.Hash); err != nil {
			http.Error(out, err.Error(), http.StatusUnprocessableEntity)
			return
		}
	}
	w.seen = tlog.Tree{N: size, Hash: hash}
	signed, err := note.Sign(&note.Note{Text: opened.Text}, w.signer)
	must(err)
	fmt.Fprint(out, string(signed[strings.LastIndex(string(signed), "\n— ")+1:]))
}

func readBody(body io.Reader) (old int64, proof tlog.TreeProof, told []byte, err error) {
	in := bufio.NewReader(io.LimitReader(body, 1<<16))
	line, _ := in.ReadString('\n')
	if _, err = fmt.Sscanf(line, "old %d\n", &old); err != nil {
		return
	}
	for {
		if line, err = in.ReadString('\n'); err != nil || line == "\n" {
			break
		}
		var hash tlog.Hash
		if hash, err = tlog.ParseHash(strings.TrimSpace(line)); err != nil {
			return
		}
		proof = append(proof, hash)
	}
	if err == nil {
		told, err = io.ReadAll(in)
	}
	return
}

func must(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
