// Judges a log in a folder, or at an address, by what the Go checksum database is made of, which knows nothing of ours: the checkpoint is opened
// with the log's key, its root is computed anew from the tiles, every entry is found where its bundle has it, records and older
// trees are proved and the proofs checked.
//
//	judge <folder or http://…> <verifier key> [older sizes ...]
//
// Prints one line, "size N root <Base64> records N trees N", or what is wrong, and ends with 1.
package main

import (
	"encoding/binary"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

const height = 8

func main() {
	if err := judge(os.Args[1], os.Args[2], os.Args[3:]); err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
}

func judge(folder, key string, older []string) error {
	verifier, err := note.NewVerifier(key)
	if err != nil {
		return err
	}
	told, err := fetch(folder, "checkpoint")
	if err != nil {
		return err
	}
	opened, err := note.Open(told, note.VerifierList(verifier))
	if err != nil {
		return err
	}
	head, err := treeOf(opened.Text, verifier.Name())
	if err != nil {
		return err
	}
	// It verifies each tile against the root of the checkpoint before anything of it is used.
	hashes := tlog.TileHashReader(head, tiles{folder})
	records, err := judgeRecords(folder, head, hashes)
	if err != nil {
		return err
	}
	for _, size := range older {
		n, err := strconv.ParseInt(size, 10, 64)
		if err != nil {
			return err
		}
		if err := judgeTree(head, n, hashes); err != nil {
			return fmt.Errorf("tree of %d: %w", n, err)
		}
	}
	fmt.Printf("size %d root %s records %d trees %d\n", head.N, head.Hash, records, len(older))
	return nil
}

func fetch(folder, path string) ([]byte, error) {
	if !strings.HasPrefix(folder, "http://") {
		return os.ReadFile(filepath.Join(folder, filepath.FromSlash(path)))
	}
	answer, err := http.Get(folder + "/" + path)
	if err != nil {
		return nil, err
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("%s answered %s", path, answer.Status)
	}
	return io.ReadAll(answer.Body)
}

func treeOf(text, origin string) (tlog.Tree, error) {
	lines := strings.Split(text, "\n")
	if len(lines) != 4 || lines[0] != origin || lines[3] != "" {
		return tlog.Tree{}, fmt.Errorf("no checkpoint of %s: %q", origin, text)
	}
	size, err := strconv.ParseInt(lines[1], 10, 64)
	if err != nil {
		return tlog.Tree{}, err
	}
	hash, err := tlog.ParseHash(lines[2])
	return tlog.Tree{N: size, Hash: hash}, err
}

func judgeRecords(folder string, head tlog.Tree, hashes tlog.HashReader) (int64, error) {
	var at int64
	for n := int64(0); at < head.N; n++ {
		width := min(256, head.N-n*256)
		bundle, err := fetch(folder, "tile/entries/"+place(n, width))
		if err != nil {
			return at, err
		}
		for range width {
			if len(bundle) < 2 || len(bundle) < 2+int(binary.BigEndian.Uint16(bundle)) {
				return at, fmt.Errorf("bundle %d is cut", n)
			}
			end := 2 + int(binary.BigEndian.Uint16(bundle))
			proof, err := tlog.ProveRecord(head.N, at, hashes)
			if err != nil {
				return at, err
			}
			if err := tlog.CheckRecord(proof, head.N, head.Hash, at, tlog.RecordHash(bundle[2:end])); err != nil {
				return at, fmt.Errorf("record %d: %w", at, err)
			}
			bundle = bundle[end:]
			at++
		}
		if len(bundle) != 0 {
			return at, fmt.Errorf("bundle %d has more than its entries", n)
		}
	}
	return at, nil
}

func judgeTree(head tlog.Tree, size int64, hashes tlog.HashReader) error {
	older, err := tlog.TreeHash(size, hashes)
	if err != nil {
		return err
	}
	proof, err := tlog.ProveTree(head.N, size, hashes)
	if err != nil {
		return err
	}
	return tlog.CheckTree(proof, head.N, head.Hash, size, older)
}

type tiles struct{ folder string }

func (tiles) Height() int                         { return height }
func (tiles) SaveTiles(_ []tlog.Tile, _ [][]byte) {}
func (t tiles) ReadTiles(asked []tlog.Tile) ([][]byte, error) {
	read := make([][]byte, len(asked))
	for i, tile := range asked {
		bytes, err := fetch(t.folder, "tile/"+strconv.Itoa(tile.L)+"/"+place(tile.N, int64(tile.W)))
		if err != nil {
			return nil, err
		}
		read[i] = bytes
	}
	return read, nil
}

// The checksum database has the height of tiles in its paths, and C2SP has not.
func place(n, width int64) string {
	path := fmt.Sprintf("%03d", n%1000)
	for n >= 1000 {
		n /= 1000
		path = fmt.Sprintf("x%03d/%s", n%1000, path)
	}
	if width < 256 {
		path += fmt.Sprintf(".p/%d", width)
	}
	return path
}
