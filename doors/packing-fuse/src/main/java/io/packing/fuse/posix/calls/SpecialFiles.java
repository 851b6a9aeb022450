// SPDX-License-Identifier: Apache-2.0
package io.packing.fuse.posix.calls;

import io.packing.bdt.AttributeChange;
import io.packing.bdt.FileStatus;
import io.packing.bdt.Operation;
import io.packing.bdt.OperationVector;
import io.packing.bdt.Outcome;
import io.packing.bdt.RareAttributeChange;
import io.packing.bdt.VectorResult;
import io.packing.blob.FileAttributes;
import io.packing.blob.FilePath;
import io.packing.fuse.Caller;
import io.packing.fuse.Entry;
import io.packing.fuse.Errno;
import io.packing.fuse.FuseException;
import io.packing.fuse.Mode;
import io.packing.fuse.posix.ErrnoMapping;
import io.packing.fuse.posix.node.Node;
import io.packing.fuse.posix.node.OpenMount;
import io.packing.worker.api.CreateOptions;
import io.packing.worker.api.PackingInput;
import io.packing.worker.api.PackingOutput;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * The calls on symbolic links, devices, fifos and sockets. The table has their type in the mode. A link's bytes are its
 * target, and a device's are its number in decimal; none means 0. A change of attributes sets the type, in one vector
 * with the name. So the log and the journal have it, and footers need not.
 */
public final class SpecialFiles {
    private static final int MOST_BYTES = 4096;
    private static final int LINK_MODE = 0777;

    private final OpenMount open;
    private final NameCalls names;
    private final FileCalls files;
    private final ExtendedCalls extended;

    public SpecialFiles(OpenMount open, NameCalls names, FileCalls files, ExtendedCalls extended) {
        this.extended = extended;
        this.open = open;
        this.names = names;
        this.files = files;
    }

    public Entry symlink(Caller caller, Node parent, String name, byte[] target) throws FuseException, IOException {
        return make(caller, parent, name, Mode.SYMLINK | LINK_MODE, target);
    }

    public Entry makeNode(Caller caller, Node parent, String name, int mode, int device)
            throws FuseException, IOException {
        int type = mode & Mode.TYPE;
        int permissions = mode & Mode.PERMISSIONS;
        return switch (type) {
            case 0, Mode.REGULAR -> names.makeFile(caller, parent, name, permissions);
            case Mode.FIFO, Mode.SOCKET -> make(caller, parent, name, type | permissions, new byte[0]);
            case Mode.CHARACTER_DEVICE, Mode.BLOCK_DEVICE ->
                make(
                        caller,
                        parent,
                        name,
                        type | permissions,
                        Integer.toUnsignedString(device).getBytes(StandardCharsets.US_ASCII));
            default -> throw new FuseException(Errno.EINVAL);
        };
    }

    private Entry make(Caller caller, Node parent, String name, int mode, byte[] bytes)
            throws FuseException, IOException {
        return names.shared(() -> {
            FilePath path = open.nodes.path(parent, name);
            NameCalls.checkCreatable(path);
            names.know(parent, path);
            Optional<Node> known = open.nodes.child(parent, name);
            if (known.isPresent() && NameCalls.isPending(known.get())) {
                throw new FuseException(Errno.EEXIST);
            }
            ExtendedCalls.Given given = (mode & Mode.TYPE) == Mode.SYMLINK
                    ? new ExtendedCalls.Given(mode & Mode.PERMISSIONS, List.of())
                    : extended.given(caller, parent, mode, false);
            FileAttributes attributes = open.attributes(caller, parent, given.mode());
            AttributeChange type = new AttributeChange(
                            Optional.empty(), Optional.empty(), OptionalInt.of((mode & Mode.TYPE) | given.mode()))
                    .with(new RareAttributeChange(given.steps(), 0, Optional.empty()));
            VectorResult result =
                    bytes.length == 0 ? empty(path, attributes, type) : with(path, attributes, type, bytes);
            boolean done = caller.again()
                    && result instanceof VectorResult.Refused refused
                    && refused.reason() == Outcome.EXISTS;
            if (!done) {
                ErrnoMapping.check(result);
            }
            FileStatus made = open.bdt().stat(path).orElseThrow(() -> new FuseException(Errno.ESTALE));
            open.touch(parent);
            return names.counted(parent, name, made);
        });
    }

    /**
     * Returns the operation that makes the character device 0:0, which overlayfs takes for a deleted entry. Its number
     * needs no bytes.
     */
    static Operation whiteout(FilePath path, FileAttributes has) {
        AttributeChange attributes = new AttributeChange(
                Optional.of(has.owner()), Optional.of(has.group()), OptionalInt.of(Mode.CHARACTER_DEVICE));
        return new Operation.CreateFile(path, attributes, false);
    }

    private VectorResult empty(FilePath path, FileAttributes has, AttributeChange type) throws IOException {
        AttributeChange attributes =
                new AttributeChange(Optional.of(has.owner()), Optional.of(has.group()), type.mode()).with(type.extra());
        return open.bdt().apply(OperationVector.of(new Operation.CreateFile(path, attributes, false)));
    }

    private VectorResult with(FilePath path, FileAttributes has, AttributeChange type, byte[] bytes)
            throws IOException {
        FilePath scratch = OpenMount.scratch();
        CreateOptions options = new CreateOptions(
                has.owner(), has.group(), has.permissions(), true, false, OptionalLong.of(has.mtimeMillis()));
        PackingOutput output = open.mount.create(scratch, options);
        try {
            output.write(bytes);
            output.close();
        } catch (IOException | RuntimeException e) {
            output.abort();
            throw e;
        }
        VectorResult result = open.bdt()
                .apply(new OperationVector(
                        List.of(),
                        List.of(new Operation.Rename(scratch, path, false), new Operation.SetAttributes(path, type))));
        if (result instanceof VectorResult.Refused) {
            Outcome unused = open.bdt().delete(scratch, false);
        }
        return result;
    }

    public byte[] readLink(Node node) throws FuseException, IOException {
        if (node.type != Mode.SYMLINK) {
            throw new FuseException(Errno.EINVAL);
        }
        ByteBuffer target = ByteBuffer.allocate(MOST_BYTES);
        files.read(node, 0, target);
        byte[] bytes = new byte[target.position()];
        target.flip().get(bytes);
        return bytes;
    }

    /** Returns the number of a device in the table. */
    static int device(OpenMount open, FileStatus status) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(
                (int) Math.min(MOST_BYTES, status.attributes().length()));
        try (PackingInput in = open.mount.open(status.path())) {
            while (bytes.hasRemaining() && in.read(bytes.position(), bytes) > 0) {}
        }
        String text = StandardCharsets.US_ASCII.decode(bytes.flip()).toString();
        if (text.isEmpty()) {
            return 0;
        }
        try {
            return Integer.parseUnsignedInt(text);
        } catch (NumberFormatException e) {
            throw new IOException("%s is a device, and its bytes are no number".formatted(status.path()), e);
        }
    }
}
