// SPDX-License-Identifier: Apache-2.0
package io.packing.trace.syscalls;

import io.packing.trace.TraceEvent;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The handlers of calls by name, and the methods that all handlers share. */
final class Handlers {
    /** A handler of calls that returned. */
    interface Handler {
        void take(TracedThread task, SystemCall call);
    }

    private final Map<String, Handler> byName = new HashMap<>();
    private final Recording recording;

    Handlers(Recording recording) {
        this.recording = recording;
    }

    void on(String name, Handler handler) {
        if (byName.put(name, handler) != null) {
            throw new IllegalStateException("two handlers of " + name);
        }
    }

    Optional<Handler> of(String name) {
        return Optional.ofNullable(byName.get(name));
    }

    /** Returns the names of the known calls. */
    Set<String> names() {
        return byName.keySet();
    }

    /**
     * Returns the open file of a descriptor. The backend's name takes precedence over the table. A descriptor that both
     * do not know is no file.
     */
    Optional<OpenFile> open(TracedThread task, SystemCall call, int argument) {
        int descriptor = call.arguments().descriptor(argument);
        if (descriptor < 0) {
            return Optional.empty();
        }
        return Optional.of(open(task, descriptor, call.arguments().descriptorName(argument)));
    }

    OpenFile open(TracedThread task, int descriptor, DescriptorName name) {
        Optional<OpenFile> known = task.descriptors().get(descriptor);
        if (known.isPresent() && (!name.isKnown() || known.get().isFile() == name.isFile())) {
            OpenFile open = known.get();
            if (name.isFile() && !name.deleted() && !open.path().equals(name.text())) {
                // An untraced process renamed the file, or a rename went through a symbolic link.
                open.path(name.text());
                recording.tree().named(name.text(), open.file());
            }
            return open;
        }
        OpenFile found = name.isFile() ? adopted(name) : OpenFile.elsewhere(name);
        recording.closed(task.descriptors().put(descriptor, found, false), task);
        return found;
    }

    /** Returns an open file that the trace did not open. */
    private OpenFile adopted(DescriptorName name) {
        if (!name.deleted()) {
            recording.noteInitial(name.text());
        }
        TracedFile file = name.deleted() ? new TracedFile() : recording.tree().at(name.text());
        if (isDevice(name.text())) {
            file.kind(InitialState.Kind.OTHER);
        }
        return recording.open(file, name.text(), false, TraceEvent.NONE);
    }

    static boolean isDevice(String path) {
        return path.startsWith("/dev/") && !path.startsWith("/dev/shm/");
    }

    /** Returns the path of an argument from the root, as far as the directory is known. */
    String path(TracedThread task, SystemCall call, int argument) {
        return call.arguments()
                .path(argument)
                .map(path -> recording.tree().canonical(PathText.resolve(task.directory(), path)))
                .orElse("");
    }

    /** Returns the path of an argument that is relative to the directory of another one. */
    String pathAt(TracedThread task, SystemCall call, int directory, int argument) {
        String base = directory(task, call, directory);
        return call.arguments()
                .path(argument)
                .map(path -> recording.tree().canonical(PathText.resolve(base, path)))
                .orElse("");
    }

    private String directory(TracedThread task, SystemCall call, int argument) {
        DescriptorName name = call.arguments().descriptorName(argument);
        if (call.arguments().text(argument).startsWith("AT_FDCWD")) {
            if (name.isFile()) {
                task.directory(name.text());
            }
            return task.directory();
        }
        return name.isFile()
                ? name.text()
                : open(task, call, argument).map(OpenFile::path).orElse("");
    }
}
