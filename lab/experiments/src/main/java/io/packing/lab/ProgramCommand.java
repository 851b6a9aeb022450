// SPDX-License-Identifier: Apache-2.0
package io.packing.lab;

import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Unmatched;

/** A command whose words a program of another module reads: {@code --help} among them, where the program has one. */
@Command
final class ProgramCommand {
    private final Program program;

    /** All words, whatever they are: the parser would refuse them without this field. */
    @Unmatched
    @SuppressWarnings("unused")
    private List<String> words = new ArrayList<>();

    ProgramCommand(Program program) {
        this.program = program;
    }

    Program program() {
        return program;
    }

    /** The words behind this command's name in all that was typed. */
    List<String> wordsIn(List<String> typed) {
        int at = typed.indexOf(program.parent()) + 1;
        return typed.subList(at + typed.subList(at, typed.size()).indexOf(program.word()) + 1, typed.size());
    }
}
