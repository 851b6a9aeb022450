// SPDX-License-Identifier: Apache-2.0

// Command histories checks histories of registers with Porcupine. Each line of its input is a history in JSON, as
// docs/chaos.md describes it. Each line of its output is the name of a history and a verdict: linearizable, not_linearizable
// or undecided.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"log"
	"math"
	"os"
	"time"

	"github.com/anishathalye/porcupine"
)

type operation struct {
	Client int    `json:"client"`
	Kind   string `json:"kind"`
	Value  int64  `json:"value"`
	Call   int64  `json:"call"`
	End    *int64 `json:"end"`
}

type history struct {
	Name       string      `json:"history"`
	Initial    int64       `json:"initial"`
	Operations []operation `json:"operations"`
}

func model(initial int64) porcupine.Model {
	return porcupine.Model{
		Init: func() interface{} { return initial },
		Step: func(state, input, output interface{}) (bool, interface{}) {
			of := input.(operation)
			if of.Kind == "write" {
				return true, of.Value
			}
			return of.Value == state.(int64), state
		},
	}
}

func verdict(of history) string {
	operations := make([]porcupine.Operation, 0, len(of.Operations))
	for _, each := range of.Operations {
		if each.Kind != "write" && each.Kind != "read" {
			log.Fatalf("%s: an operation of kind '%s', wants write or read", of.Name, each.Kind)
		}
		end := int64(math.MaxInt64)
		if each.End != nil {
			end = *each.End
		} else if each.Kind == "read" {
			log.Fatalf("%s: a read without an end says nothing", of.Name)
		}
		operations = append(operations, porcupine.Operation{ClientId: each.Client, Input: each, Call: each.Call, Output: nil, Return: end})
	}
	switch porcupine.CheckOperationsTimeout(model(of.Initial), operations, time.Minute) {
	case porcupine.Ok:
		return "linearizable"
	case porcupine.Illegal:
		return "not_linearizable"
	default:
		return "undecided"
	}
}

func main() {
	in := bufio.NewScanner(os.Stdin)
	in.Buffer(make([]byte, 1<<20), 1<<28)
	out := bufio.NewWriter(os.Stdout)
	for in.Scan() {
		var of history
		if err := json.Unmarshal(in.Bytes(), &of); err != nil {
			log.Fatal(err)
		}
		fmt.Fprintf(out, "%s %s\n", of.Name, verdict(of))
	}
	if err := in.Err(); err != nil {
		log.Fatal(err)
	}
	if err := out.Flush(); err != nil {
		log.Fatal(err)
	}
}
