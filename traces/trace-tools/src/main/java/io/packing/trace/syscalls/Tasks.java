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
 * The tasks of a recording. A child may be seen before the clone that makes it returns: it belongs to the only clone under
 * way, or its calls wait until theirs returns. Confined to one thread.
 */
final class Tasks {
    private static final class Cloning {
        private final Task parent;
        private final String flags;
        private Optional<Integer> child = Optional.empty();

        Cloning(Task parent, String flags) {
            this.parent = parent;
            this.flags = flags;
        }
    }

    private final Map<Integer, Task> tasks = new HashMap<>();
    private final Map<Integer, Cloning> cloning = new HashMap<>();
    private final Map<Integer, List<Runnable>> waiting = new HashMap<>();
    private final DescriptorTable inherited;
    private final String directory;
    private boolean begun;
    private long orphans;
    private long reused;

    /**
     * @param inherited what the first task has open
     * @param directory its current directory; empty when nobody knows
     */
    Tasks(DescriptorTable inherited, String directory) {
        this.inherited = inherited;
        this.directory = directory;
    }

    /** Tasks whose parent is not known. */
    long orphans() {
        return orphans;
    }

    /** Process ids that were given again before their end was seen. */
    long reused() {
        return reused;
    }

    /** Runs what needs the task of a thread, now or when it is known. */
    void with(int thread, Consumer<Task> action) {
        Task known = tasks.get(thread);
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

    /** The task of a thread that was never seen; empty when its clone cannot be told from others yet. */
    private Optional<Task> first(int thread) {
        List<Cloning> childless =
                cloning.values().stream().filter(one -> one.child.isEmpty()).toList();
        if (childless.size() > 1) {
            return Optional.empty();
        }
        Task task;
        if (childless.isEmpty()) {
            boolean root = !begun;
            begun = true;
            orphans += root ? 0 : 1;
            task = new Task(
                    thread,
                    new Task.Program(thread, ""),
                    root ? inherited : new DescriptorTable(),
                    new Task.Place(root ? directory : ""),
                    new Task.Memory());
        } else {
            Cloning one = childless.get(0);
            one.child = Optional.of(thread);
            task = one.parent.clone(thread, one.flags);
        }
        tasks.put(thread, task);
        return Optional.of(task);
    }

    /** A clone began, and others come before it returns. */
    void cloneBegan(Task parent, String flags) {
        cloning.put(parent.thread(), new Cloning(parent, flags));
    }

    /** A clone returned. */
    void cloned(Task parent, String flags, int child) {
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

    /** Gives the open files below a path, or at it, their new names. */
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

    /** A clone failed. */
    void notCloned(Task parent) {
        cloning.remove(parent.thread());
    }

    Optional<Task> remove(int thread) {
        cloning.remove(thread);
        return Optional.ofNullable(tasks.remove(thread));
    }

    /** A thread goes on under its leader's id. */
    void replace(int leader, int by) {
        Task old = tasks.remove(by);
        Task gone = tasks.remove(leader);
        if (gone != null) {
            gone.descriptors().leave();
        }
        if (old != null) {
            tasks.put(leader, old.as(leader));
        }
    }

    /** Runs what waits for parents that never came, as tasks without one. */
    void finish() {
        cloning.clear();
        while (!waiting.isEmpty()) {
            int thread = waiting.keySet().iterator().next();
            first(thread);
            release(thread);
        }
    }
}
