package io.packing.trace.syscalls;

import io.packing.trace.TraceEvent;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** What is done with a call, by its name; and what the handlers of all kinds of calls share. */
final class Handlers {
    /** What is done with a call that returned. */
    interface Handler {
        void take(Task task, SystemCall call);
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

    /** The names of the calls that are known. */
    Set<String> names() {
        return byName.keySet();
    }

    /**
     * The open file of a descriptor. The backend is believed where it contradicts the table; what it says nothing of, and
     * the table neither, is no file.
     */
    Optional<OpenFile> open(Task task, SystemCall call, int argument) {
        int descriptor = call.arguments().descriptor(argument);
        if (descriptor < 0) {
            return Optional.empty();
        }
        return Optional.of(open(task, descriptor, call.arguments().descriptorName(argument)));
    }

    OpenFile open(Task task, int descriptor, DescriptorName name) {
        Optional<OpenFile> known = task.descriptors().get(descriptor);
        if (known.isPresent() && (!name.isKnown() || known.get().isFile() == name.isFile())) {
            OpenFile open = known.get();
            if (name.isFile() && !name.deleted() && !open.path().equals(name.text())) {
                // Somebody who is not traced renamed it, or a rename went through a symbolic link.
                open.path(name.text());
                recording.tree().named(name.text(), open.file());
            }
            return open;
        }
        OpenFile found = name.isFile() ? adopted(name) : OpenFile.elsewhere(name);
        recording.closed(task.descriptors().put(descriptor, found, false), task);
        return found;
    }

    /** An open file that came from outside: nobody saw it opened. */
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

    /** The path of an argument, from the root, as far as the directory is known. */
    String path(Task task, SystemCall call, int argument) {
        return call.arguments()
                .path(argument)
                .map(path -> recording.tree().canonical(PathText.resolve(task.directory(), path)))
                .orElse("");
    }

    /** The path of an argument that is seen from the directory of another. */
    String pathAt(Task task, SystemCall call, int directory, int argument) {
        String base = directory(task, call, directory);
        return call.arguments()
                .path(argument)
                .map(path -> recording.tree().canonical(PathText.resolve(base, path)))
                .orElse("");
    }

    private String directory(Task task, SystemCall call, int argument) {
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
