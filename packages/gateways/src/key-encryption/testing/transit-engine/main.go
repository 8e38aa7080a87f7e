// The transit engine of Vault 1.14 (MPL) behind the least of HTTP, in memory, for the tests of key encryption. OpenBao's
// engine is a fork of it. Tokens, policies and sealing are the core's and are not here: one token is let in.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"os"
	"strings"
	"time"

	"github.com/hashicorp/go-hclog"
	"github.com/hashicorp/vault/builtin/logical/transit"
	"github.com/hashicorp/vault/sdk/framework"
	"github.com/hashicorp/vault/sdk/logical"
)

const mount = "/v1/transit/"

func main() {
	storage := &logical.InmemStorage{}
	config := &logical.BackendConfig{
		StorageView: storage,
		Logger:      hclog.NewNullLogger(),
		System:      &logical.StaticSystemView{DefaultLeaseTTLVal: time.Hour, MaxLeaseTTLVal: time.Hour},
	}
	engine, err := transit.Backend(context.Background(), config)
	end(err)
	// The published SDK is a little newer than this engine, and asks every path that creates for an existence check.
	for _, path := range engine.Paths {
		if path.ExistenceCheck == nil {
			path.ExistenceCheck = func(context.Context, *logical.Request, *framework.FieldData) (bool, error) { return true, nil }
		}
	}
	end(engine.Setup(context.Background(), config))
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	end(err)
	// The parent reads where it listens, and ends it by closing its standard input.
	fmt.Println(listener.Addr())
	go func() {
		os.Stdin.Read(make([]byte, 1))
		os.Exit(0)
	}()
	end(http.Serve(listener, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("X-Vault-Token") != "root" {
			say(w, http.StatusForbidden, nil, "permission denied")
			return
		}
		if !strings.HasPrefix(r.URL.Path, mount) {
			say(w, http.StatusNotFound, nil, "no handler for route")
			return
		}
		asked := &logical.Request{
			Operation: logical.UpdateOperation,
			Path:      strings.TrimPrefix(r.URL.Path, mount),
			Storage:   storage,
			Data:      map[string]interface{}{},
		}
		if err := json.NewDecoder(r.Body).Decode(&asked.Data); err != nil {
			say(w, http.StatusBadRequest, nil, "failed to parse JSON input")
			return
		}
		answer, err := engine.HandleRequest(r.Context(), asked)
		if status, err := logical.RespondErrorCommon(asked, answer, err); err != nil {
			say(w, status, nil, err.Error())
			return
		}
		if answer == nil {
			w.WriteHeader(http.StatusNoContent)
			return
		}
		say(w, http.StatusOK, answer.Data)
	})))
}

func say(w http.ResponseWriter, status int, data map[string]interface{}, errors ...string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	if errors != nil {
		json.NewEncoder(w).Encode(map[string]interface{}{"errors": errors})
		return
	}
	json.NewEncoder(w).Encode(map[string]interface{}{"data": data})
}

func end(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
