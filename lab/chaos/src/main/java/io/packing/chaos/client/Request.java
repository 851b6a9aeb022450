package io.packing.chaos.client;

import io.packing.chaos.model.Content;
import io.packing.chaos.model.Part;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * What a client is to do; one line of JSON.
 *
 * @param door through which: what does not matter where there is one way only
 * @param path where; of a rename, from where
 * @param target of a rename; the name of a snapshot
 * @param yes overwrite of a create, recursive of a delete
 * @param mode of a create and a chmod
 * @param contents what to write: one; or what is expected to be read: any of them
 * @param offset of a positioned read
 * @param length of a positioned read
 * @param parts of a vector
 * @param options of a mount to open, with the master's address
 */
public record Request(
        Action action,
        DoorKind door,
        String path,
        String target,
        boolean yes,
        int mode,
        List<Content> contents,
        int offset,
        int length,
        List<Part> parts,
        Map<String, String> options) {
    /** What. */
    public enum Action {
        OPEN,
        CREATE,
        DELETE,
        RENAME,
        REPLACE,
        MKDIR,
        CHMOD,
        VECTOR,
        TAKE_SNAPSHOT,
        DROP_SNAPSHOT,
        READ,
        READ_RANGE,
        LOOK,
        LIST,
        PAGE,
        WORKERS,
        FLUSH,
        SEAL,
        CHECKPOINT
    }

    public Request {
        contents = List.copyOf(contents);
        parts = List.copyOf(parts);
        options = Map.copyOf(options);
    }

    /** Opens the mount of a round. */
    public static Request open(Map<String, String> options) {
        return new Request(Action.OPEN, DoorKind.WORKER, "/", "", false, 0, List.of(), 0, 0, List.of(), options);
    }

    /** Writes a file. */
    public static Request create(DoorKind door, String path, Content content, int mode, boolean overwrite) {
        return new Request(Action.CREATE, door, path, "", overwrite, mode, List.of(content), 0, 0, List.of(), Map.of());
    }

    /** Moves a file or a tree to a path where nothing is. */
    public static Request rename(DoorKind door, String path, String target) {
        return new Request(Action.RENAME, door, path, target, false, 0, List.of(), 0, 0, List.of(), Map.of());
    }

    /** Moves a file to a path where another one may be. */
    public static Request replace(String path, String target) {
        return new Request(
                Action.REPLACE, DoorKind.WORKER, path, target, false, 0, List.of(), 0, 0, List.of(), Map.of());
    }

    /** Changes the mode of a file. */
    public static Request chmod(DoorKind door, String path, int mode) {
        return new Request(Action.CHMOD, door, path, "", false, mode, List.of(), 0, 0, List.of(), Map.of());
    }

    /** Does several things at once. */
    public static Request vector(List<Part> parts) {
        return new Request(
                Action.VECTOR, DoorKind.WORKER, parts.get(0).path(), "", false, 0, List.of(), 0, 0, parts, Map.of());
    }

    /** Takes or drops a snapshot of a directory. */
    public static Request snapshot(Action action, String directory, String name) {
        return new Request(action, DoorKind.WORKER, directory, name, false, 0, List.of(), 0, 0, List.of(), Map.of());
    }

    /** Reads a whole file and tells which of the contents it has. */
    public static Request read(DoorKind door, String path, List<Content> contents) {
        return new Request(Action.READ, door, path, "", false, 0, contents, 0, 0, List.of(), Map.of());
    }

    /** The same of a part of it. */
    public static Request readRange(DoorKind door, String path, List<Content> contents, int offset, int length) {
        return new Request(Action.READ_RANGE, door, path, "", false, 0, contents, offset, length, List.of(), Map.of());
    }

    /** What a read of a file with that content gives. */
    byte[] part(Content content) {
        byte[] all = content.bytes();
        if (action == Action.READ) {
            return all;
        }
        int from = Math.min(offset, all.length);
        return Arrays.copyOfRange(all, from, Math.min(from + length, all.length));
    }

    /** Any other action. */
    public static Request simple(Action action, DoorKind door, String path, boolean yes) {
        return new Request(action, door, path, "", yes, 0, List.of(), 0, 0, List.of(), Map.of());
    }

    @Override
    public String toString() {
        String what = contents.size() == 1
                ? " #%x %d bytes"
                        .formatted(contents.get(0).seed(), contents.get(0).length())
                : "";
        return "%s %s %s%s%s%s%s"
                .formatted(
                        action,
                        door,
                        path,
                        target.isEmpty() ? "" : " to " + target,
                        what,
                        yes ? " yes" : "",
                        parts.isEmpty() ? "" : " " + parts);
    }
}
