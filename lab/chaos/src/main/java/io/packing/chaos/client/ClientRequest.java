// SPDX-License-Identifier: Apache-2.0
package io.packing.chaos.client;

import io.packing.chaos.model.Part;
import io.packing.chaos.model.SeededContent;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * A client's order; one line of JSON.
 *
 * @param door to use; ignored by actions that have only one door
 * @param path of the file; of a rename, the old path
 * @param target of a rename; the name of a snapshot
 * @param yes overwrite of a create, recursive of a delete
 * @param mode of a create and a chmod
 * @param contents the content to write, or the contents that a read may find
 * @param offset of a positioned read
 * @param length of a positioned read
 * @param parts of a vector
 * @param options of a mount to open, with the master's address
 */
public record ClientRequest(
        Action action,
        DoorKind door,
        String path,
        String target,
        boolean yes,
        int mode,
        List<SeededContent> contents,
        int offset,
        int length,
        List<Part> parts,
        Map<String, String> options) {
    /** The operation. */
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

    public ClientRequest {
        contents = List.copyOf(contents);
        parts = List.copyOf(parts);
        options = Map.copyOf(options);
    }

    public static ClientRequest open(Map<String, String> options) {
        return new ClientRequest(Action.OPEN, DoorKind.WORKER, "/", "", false, 0, List.of(), 0, 0, List.of(), options);
    }

    public static ClientRequest create(DoorKind door, String path, SeededContent content, int mode, boolean overwrite) {
        return new ClientRequest(
                Action.CREATE, door, path, "", overwrite, mode, List.of(content), 0, 0, List.of(), Map.of());
    }

    /** Moves a file or a tree to a free path. */
    public static ClientRequest rename(DoorKind door, String path, String target) {
        return new ClientRequest(Action.RENAME, door, path, target, false, 0, List.of(), 0, 0, List.of(), Map.of());
    }

    /** Moves a file to a path that may have another one. */
    public static ClientRequest replace(String path, String target) {
        return new ClientRequest(
                Action.REPLACE, DoorKind.WORKER, path, target, false, 0, List.of(), 0, 0, List.of(), Map.of());
    }

    public static ClientRequest chmod(DoorKind door, String path, int mode) {
        return new ClientRequest(Action.CHMOD, door, path, "", false, mode, List.of(), 0, 0, List.of(), Map.of());
    }

    /** Performs several operations in one vector. */
    public static ClientRequest vector(List<Part> parts) {
        return new ClientRequest(
                Action.VECTOR, DoorKind.WORKER, parts.get(0).path(), "", false, 0, List.of(), 0, 0, parts, Map.of());
    }

    /** Takes or drops a snapshot of a directory. */
    public static ClientRequest snapshot(Action action, String directory, String name) {
        return new ClientRequest(
                action, DoorKind.WORKER, directory, name, false, 0, List.of(), 0, 0, List.of(), Map.of());
    }

    /** Reads a whole file and finds which of the contents it has. */
    public static ClientRequest read(DoorKind door, String path, List<SeededContent> contents) {
        return new ClientRequest(Action.READ, door, path, "", false, 0, contents, 0, 0, List.of(), Map.of());
    }

    /** Reads a part of a file and finds which of the contents has it. */
    public static ClientRequest readRange(
            DoorKind door, String path, List<SeededContent> contents, int offset, int length) {
        return new ClientRequest(
                Action.READ_RANGE, door, path, "", false, 0, contents, offset, length, List.of(), Map.of());
    }

    /** Returns the bytes that this read gets from a file with the content. */
    byte[] part(SeededContent content) {
        byte[] all = content.bytes();
        if (action == Action.READ) {
            return all;
        }
        int from = Math.min(offset, all.length);
        return Arrays.copyOfRange(all, from, Math.min(from + length, all.length));
    }

    /** Makes a request that needs a path only. */
    public static ClientRequest simple(Action action, DoorKind door, String path, boolean yes) {
        return new ClientRequest(action, door, path, "", yes, 0, List.of(), 0, 0, List.of(), Map.of());
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
