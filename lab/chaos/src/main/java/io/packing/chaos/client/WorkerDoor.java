// SPDX-License-Identifier: Apache-2.0
package io.packing.chaos.client;

import io.packing.bdt.AttributeChange;
import io.packing.bdt.Bdt;
import io.packing.bdt.DirectoryAttributes;
import io.packing.bdt.FileStatus;
import io.packing.bdt.Operation;
import io.packing.bdt.OperationVector;
import io.packing.bdt.Outcome;
import io.packing.bdt.VectorResult;
import io.packing.bdt.WorkerInfo;
import io.packing.bdt.client.GrpcBdts;
import io.packing.blob.FilePath;
import io.packing.chaos.model.Part;
import io.packing.store.ObjectStores;
import io.packing.worker.api.CreateOptions;
import io.packing.worker.api.MountOptions;
import io.packing.worker.api.PackingInput;
import io.packing.worker.api.PackingOutput;
import io.packing.worker.api.Writers;
import io.packing.worker.client.RemotePackingFileSystem;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/** The mount through the client of packing workers, with operations that Hadoop does not have. */
final class WorkerDoor implements Door {
    private static final int PAGE = 500;
    /** The attempts of a read: a file that lanes keep replacing is read in the end. */
    private static final int TRIES = 100;

    private final GrpcBdts bdts;
    private final RemotePackingFileSystem mount;

    WorkerDoor(String master, Map<String, String> raw, Duration timeout) throws IOException {
        MountOptions options = MountOptions.from(raw);
        bdts = GrpcBdts.connect(master, timeout, options.security());
        // Hadoop's door takes the first address and this one the last: so both workers get files.
        Writers last = (live, broken) -> live.stream()
                .map(WorkerInfo::address)
                .sorted(Comparator.comparing((String address) -> broken.equals(Optional.of(address)))
                        .thenComparing(Comparator.reverseOrder()))
                .toList();
        mount = RemotePackingFileSystem.open(bdts, options, ObjectStores.open(options.store()), last);
    }

    private Bdt bdt() {
        return mount.bdt();
    }

    @Override
    public void create(String path, byte[] bytes, int mode, boolean overwrite) throws IOException {
        CreateOptions options = new CreateOptions("chaos", "", mode, true, overwrite);
        PackingOutput out = mount.create(new FilePath(path), options);
        out.write(bytes);
        out.close();
    }

    @Override
    public boolean delete(String path, boolean recursive) throws IOException {
        return bdt().delete(new FilePath(path), recursive) == Outcome.DONE;
    }

    @Override
    public boolean rename(String from, String to) throws IOException {
        return bdt().rename(new FilePath(from), new FilePath(to)) == Outcome.DONE;
    }

    @Override
    public boolean mkdir(String path) throws IOException {
        Outcome outcome = bdt().mkdir(new FilePath(path), new DirectoryAttributes("chaos", "", 0755), true);
        return outcome == Outcome.DONE || outcome == Outcome.EXISTS;
    }

    @Override
    public boolean chmod(String path, int mode) throws IOException {
        AttributeChange change = new AttributeChange(Optional.empty(), Optional.empty(), OptionalInt.of(mode));
        return bdt().setAttributes(new FilePath(path), change) == Outcome.DONE;
    }

    @Override
    public byte[] read(String path) throws IOException {
        for (int i = 0; i < TRIES; i++) {
            PackingInput in = mount.open(new FilePath(path));
            try (in) {
                return read(in, 0, Math.toIntExact(in.attributes().length()));
            } catch (FileNotFoundException e) {
                // A lane may have replaced the file during the read: only a failed open proves that the file is absent.
            }
        }
        throw new IOException("%s was replaced %d times while it was read".formatted(path, TRIES));
    }

    @Override
    public byte[] read(String path, int offset, int length) throws IOException {
        try (PackingInput in = mount.open(new FilePath(path))) {
            return read(in, offset, length);
        }
    }

    private static byte[] read(PackingInput in, int offset, int length) throws IOException {
        ByteBuffer into = ByteBuffer.allocate(length);
        while (into.hasRemaining()) {
            if (in.read((long) offset + into.position(), into) < 0) {
                break;
            }
        }
        return Arrays.copyOf(into.array(), into.position());
    }

    @Override
    public List<ClientReply.Entry> list(String path) throws IOException {
        FilePath directory = new FilePath(path);
        List<ClientReply.Entry> entries = new ArrayList<>();
        String after = "";
        while (true) {
            List<FileStatus> page = bdt().list(directory, after, PAGE)
                    .orElseThrow(() -> new FileNotFoundException(path + ": no such directory"));
            if (page.isEmpty()) {
                return entries;
            }
            page.forEach(status -> entries.add(entry(status)));
            after = page.get(page.size() - 1).path().name();
        }
    }

    static ClientReply.Entry entry(FileStatus status) {
        return new ClientReply.Entry(
                status.path().value(),
                status.isDirectory(),
                status.attributes().mode(),
                status.attributes().length());
    }

    /** Lists the first entries of a directory, as of one moment. */
    List<ClientReply.Entry> page(String path) throws IOException {
        return bdt()
                .list(new FilePath(path), "", PAGE)
                .orElseThrow(() -> new FileNotFoundException(path + ": no such directory"))
                .stream()
                .map(WorkerDoor::entry)
                .toList();
    }

    /** Moves a file to a path that may have another one. */
    ClientReply replace(String from, String to) throws IOException {
        return apply(OperationVector.of(new Operation.Rename(new FilePath(from), new FilePath(to), true)));
    }

    /** Performs several operations in one vector. */
    ClientReply vector(List<Part> parts) throws IOException {
        return apply(new OperationVector(
                List.of(), parts.stream().map(WorkerDoor::operation).toList()));
    }

    private static Operation operation(Part part) {
        FilePath path = new FilePath(part.path());
        return switch (part.kind()) {
            case RENAME -> new Operation.Rename(path, new FilePath(part.target()), false);
            case DELETE -> new Operation.Delete(path, false);
            case CLONE -> new Operation.CloneFile(path, new FilePath(part.target()), false, AttributeChange.NONE);
        };
    }

    ClientReply takeSnapshot(String directory, String name) throws IOException {
        return apply(OperationVector.of(new Operation.TakeSnapshot(new FilePath(directory), name)));
    }

    ClientReply dropSnapshot(String directory, String name) throws IOException {
        return apply(OperationVector.of(new Operation.DropSnapshot(new FilePath(directory), name)));
    }

    private ClientReply apply(OperationVector vector) throws IOException {
        VectorResult result = bdt().apply(vector);
        return result instanceof VectorResult.Applied
                ? ClientReply.done()
                : ClientReply.of(ClientReply.Outcome.REFUSED, result.toString());
    }

    /** Returns the status of a path. */
    Optional<FileStatus> look(String path) throws IOException {
        return bdt().stat(new FilePath(path));
    }

    int workers() throws IOException {
        return bdt().workers().size();
    }

    void flush() throws IOException {
        mount.flush();
    }

    void seal() throws IOException {
        bdt().sealNow();
    }

    void checkpoint() throws IOException {
        bdt().checkpoint();
    }

    void close() throws IOException {
        try (bdts) {
            mount.close();
        }
    }
}
