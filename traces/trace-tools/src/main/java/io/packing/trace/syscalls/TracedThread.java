// SPDX-License-Identifier: Apache-2.0
package io.packing.trace.syscalls;

import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** A thread of a traced program, with the state that it shares with other threads. */
final class TracedThread {
    /** The state that threads of a program share. */
    static final class Program {
        private final int pid;
        private String name;

        Program(int pid, String name) {
            this.pid = pid;
            this.name = name;
        }

        int pid() {
            return pid;
        }

        String name() {
            return name;
        }
    }

    /** A current directory, which tasks may share. */
    static final class Place {
        private String directory;

        Place(String directory) {
            this.directory = directory;
        }
    }

    /**
     * The mapped files by their addresses. Unmapping is not traced: a new mapping of an address replaces the old one.
     */
    static final class Memory {
        /** A mapped file. */
        record Mapping(long end, long offset, OpenFile open) {}

        private final TreeMap<Long, Mapping> mappings = new TreeMap<>();

        void map(long address, long length, long offset, OpenFile open) {
            unmap(address, length);
            mappings.put(address, new Mapping(address + length, offset, open));
        }

        void unmap(long address, long length) {
            mappings.subMap(address, address + Math.max(1, length)).clear();
        }

        /** Returns the mapping at an address, with its first address. */
        Optional<Map.Entry<Long, Mapping>> at(long address) {
            Map.Entry<Long, Mapping> below = mappings.floorEntry(address);
            return below != null && address < below.getValue().end() ? Optional.of(below) : Optional.empty();
        }

        Memory copy() {
            Memory copy = new Memory();
            copy.mappings.putAll(mappings);
            return copy;
        }
    }

    private final int thread;
    private Program program;
    private DescriptorTable descriptors;
    private Place place;
    private Memory memory;

    TracedThread(int thread, Program program, DescriptorTable descriptors, Place place, Memory memory) {
        this.thread = thread;
        this.program = program;
        this.descriptors = descriptors;
        this.place = place;
        this.memory = memory;
    }

    int thread() {
        return thread;
    }

    Program program() {
        return program;
    }

    DescriptorTable descriptors() {
        return descriptors;
    }

    Memory memory() {
        return memory;
    }

    String directory() {
        return place.directory;
    }

    void directory(String path) {
        place.directory = path;
    }

    /** Stops sharing descriptors with other tasks. */
    void unshareDescriptors() {
        if (descriptors.isShared()) {
            DescriptorTable own = descriptors.copy();
            descriptors.leave();
            descriptors = own;
        }
    }

    void unsharePlace() {
        place = new Place(place.directory);
    }

    /** Becomes another program, with memory of its own. */
    void execute(String name) {
        program = new Program(program.pid(), name);
        memory = new Memory();
    }

    /**
     * Makes a new task.
     *
     * @param child its thread
     * @param flags of clone; empty for fork
     */
    TracedThread clone(int child, String flags) {
        boolean thread = flags.contains("CLONE_THREAD");
        boolean files = flags.contains("CLONE_FILES");
        boolean place = flags.contains("CLONE_FS");
        boolean memory = flags.contains("CLONE_VM");
        return new TracedThread(
                child,
                thread ? program : new Program(child, program.name()),
                files ? descriptors.share() : descriptors.copy(),
                place ? this.place : new Place(this.place.directory),
                memory ? this.memory : this.memory.copy());
    }

    /** Returns this task under its leader's id, after execve by another thread. */
    TracedThread as(int leader) {
        return new TracedThread(leader, program, descriptors, place, memory);
    }
}
