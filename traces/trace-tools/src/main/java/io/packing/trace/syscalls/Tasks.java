// SPDX-License-Identifier: Apache-2.0
package io.packing.trace.syscalls;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * The tasks of a recording. A child may make calls before the clone that makes it returns. Then it belongs to the only
 * pending clone, or its calls wait until theirs returns. Confined to one thread.
 */
final class Tasks {
    private static final class Cloning {
        private final TracedThread parent;
        private final String flags;
        private Optional<Integer> child = Optional.empty();

        Cloning(TracedThread parent, String flags) {
            this.parent = parent;
            this.flags = flags;
        }
    }

    private final Map<Integer, TracedThread> tasks = new HashMap<>();
    private final Map<Integer, Cloning> cloning = new HashMap<>();
    private final Map<Integer, List<Runnable>> waiting = new HashMap<>();
    private final DescriptorTable inherited;
    private final String directory;
    private boolean begun;
    private long orphans;
    private long reused;

    /**
     * @param inherited descriptors of the first task
     * @param directory its current directory; empty if unknown
     */
    Tasks(DescriptorTable inherited, String directory) {
        this.inherited = inherited;
        this.directory = directory;
    }

    /** Counts the tasks without a known parent. */
    long orphans() {
        return orphans;
    }

    /** Counts the process ids that were reused before their end was seen. */
    long reused() {
        return reused;
    }

    /** Runs an action on the task of a thread, now or when the task is known. */
    void with(int thread, Consumer<TracedThread> action) {
        TracedThread known = tasks.get(thread);
        List<Runnable> before = waiting.get(thread);
        if (known != null) {
            action.accept(known);
        } else if (before != null) {
            before.add(() -> action.accept(tasks.get(thread)));
        } else {
            first(thread).ifPresentOrElse(action, () -> {
                List<Runnable> wait = new ArrayList<>();
                wait.add(() -> action.accept(tasks.get(thread)));
                waiting.put(thread, wait);
            });
        }
    }

    /** Makes the task of a new thread; empty while several clones may have made it. */
    private Optional<TracedThread> first(int thread) {
        List<Cloning> childless =
                cloning.values().stream().filter(one -> one.child.isEmpty()).toList();
        if (childless.size() > 1) {
            return Optional.empty();
        }
        TracedThread task;
        if (childless.isEmpty()) {
            boolean root = !begun;
            begun = true;
            orphans += root ? 0 : 1;
            task = new TracedThread(
                    thread,
                    new TracedThread.Program(thread, ""),
                    root ? inherited : new DescriptorTable(),
                    new TracedThread.Place(root ? directory : ""),
                    new TracedThread.Memory());
        } else {
            Cloning one = childless.get(0);
            one.child = Optional.of(thread);
            task = one.parent.clone(thread, one.flags);
        }
        tasks.put(thread, task);
        return Optional.of(task);
    }

    /** Notes the begin of a clone that does not return at once. */
    void cloneBegan(TracedThread parent, String flags) {
        cloning.put(parent.thread(), new Cloning(parent, flags));
    }

    /** Notes the return of a clone. */
    void cloned(TracedThread parent, String flags, int child) {
        Cloning began = cloning.remove(parent.thread());
        if (began != null && began.child.equals(Optional.of(child))) {
            return;
        }
        if (tasks.containsKey(child)) {
            reused++;
        }
        tasks.put(child, parent.clone(child, flags));
        release(child);
    }

    private void release(int thread) {
        List<Runnable> held = waiting.remove(thread);
        if (held != null) {
            held.forEach(Runnable::run);
        }
    }

    /** Renames the open files at or below a path. */
    void renamed(String from, String to) {
        Set<DescriptorTable> tables = new HashSet<>();
        tasks.values().forEach(task -> tables.add(task.descriptors()));
        for (DescriptorTable table : tables) {
            for (int descriptor : table.all()) {
                table.get(descriptor).ifPresent(open -> {
                    if (open.path().equals(from) || open.path().startsWith(from + "/")) {
                        open.path(to + open.path().substring(from.length()));
                    }
                });
            }
        }
    }

    /** Notes the failure of a clone. */
    void notCloned(TracedThread parent) {
        cloning.remove(parent.thread());
    }

    Optional<TracedThread> remove(int thread) {
        cloning.remove(thread);
        return Optional.ofNullable(tasks.remove(thread));
    }

    /** Moves a thread to its leader's id. */
    void replace(int leader, int by) {
        TracedThread old = tasks.remove(by);
        TracedThread gone = tasks.remove(leader);
        if (gone != null) {
            gone.descriptors().leave();
        }
        if (old != null) {
            tasks.put(leader, old.as(leader));
        }
    }

    /** Runs the actions that wait for parents in vain, on tasks without a parent. */
    void finish() {
        cloning.clear();
        while (!waiting.isEmpty()) {
            int thread = waiting.keySet().iterator().next();
            first(thread);
            release(thread);
        }
    }
}
