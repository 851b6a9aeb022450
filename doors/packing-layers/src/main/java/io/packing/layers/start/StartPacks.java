// SPDX-License-Identifier: Apache-2.0
package io.packing.layers.start;

import io.packing.bdt.FileStatus;
import io.packing.bdt.ListedEntry;
import io.packing.bdt.ListedPage;
import io.packing.bdt.LocatedFile;
import io.packing.bdt.Operation;
import io.packing.bdt.VectorResult;
import io.packing.blob.FilePath;
import io.packing.blob.FileVersion;
import io.packing.registry.files.FileBytes;
import io.packing.registry.files.Layout;
import io.packing.registry.files.RegistryFiles;
import io.packing.registry.files.VectorBuilder;
import io.packing.worker.api.PackingInput;
import io.packing.worker.api.PackingOutput;
import io.packing.worker.client.RemotePackingFileSystem;
import io.packing.worker.disk.BlobPage;
import io.packing.worker.read.ExpectedPage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Packs of starts as they are kept in a registry: a directory with an index, and pieces. Thread-safe. */
final class StartPacks {
    private static final Logger LOG = LoggerFactory.getLogger(StartPacks.class);
    /** Before the pieces, in the order of names. The number of pieces follows. */
    private static final String INDEX = "index-";

    private static final int PAGE = 100;

    private final RemotePackingFileSystem mount;
    private final RegistryFiles files;
    private final Layout layout;
    private final Supplier<String> ids;

    /**
     * A pack that is kept.
     *
     * @param index a file that has one version in all containers of an image
     * @param pieces by number
     */
    record Kept(LocatedFile index, List<LocatedFile> pieces) {
        Kept {
            pieces = List.copyOf(pieces);
        }

        FileVersion version() {
            return index.status().version();
        }
    }

    /** A piece with pages for which a reader waits. */
    private record Awaited(LocatedFile file, List<BlobPage> pages, List<Optional<ExpectedPage>> expected) {
        void failed(Throwable why) {
            expected.forEach(each -> each.ifPresent(page -> page.failed(why)));
        }
    }

    /** @param ids gives unique names */
    StartPacks(RemotePackingFileSystem mount, RegistryFiles files, Layout layout, Supplier<String> ids) {
        this.mount = mount;
        this.files = files;
        this.layout = layout;
        this.ids = ids;
    }

    /** Returns the pack in a directory, if all of it is there. */
    Optional<Kept> find(FilePath directory) throws IOException {
        List<LocatedFile> found = new ArrayList<>();
        String last = "";
        while (found.size() <= StartPack.MOST_PAGES) {
            ListedPage page = mount.bdt().listLocated(directory, last, PAGE).orElse(ListedPage.END);
            for (ListedEntry each : page.entries()) {
                last = each.status().path().name();
                each.placement().ifPresent(at -> found.add(new LocatedFile(each.status(), at)));
            }
            if (!found.isEmpty() && found.get(0).status().path().name().equals(index(found.size() - 1))) {
                return Optional.of(new Kept(found.get(0), found.subList(1, found.size())));
            }
            if (page.isLast()) {
                break;
            }
        }
        return Optional.empty();
    }

    StartPack index(Kept kept) throws IOException {
        Optional<StartPack> inTable = kept.index().status().extras().hasExtended()
                ? IndexAttribute.read(mount.bdt(), kept.index().status().path())
                : Optional.empty();
        return inTable.isPresent()
                ? inTable.get()
                : StartPack.decode(FileBytes.all(mount.open(kept.index()), StartPack.MOST_BYTES));
    }

    /**
     * Brings the pages that are not cached, as many as the cache has room for. A reader of one of them waits for it
     * from now on.
     *
     * @param index of the kept pack
     * @param threads that fetch the pieces
     */
    void fetch(Kept kept, StartPack index, Executor threads) {
        List<Awaited> pieces = new ArrayList<>();
        long room = mount.pages().cache().mostBytes();
        for (List<BlobPage> pages : index.pieces()) {
            int number = pieces.size();
            room -= StartPack.length(pages);
            if (room < 0) {
                LOG.info(
                        "{} pieces of a start are brought of {}: the cache has no room for more",
                        number,
                        kept.pieces().size());
                break;
            }
            if (number == kept.pieces().size()
                    || !PieceForm.mayBe(kept.pieces().get(number).status(), StartPack.length(pages))) {
                LOG.warn("a start lacks piece {}, or that has another length", number);
                break;
            }
            pieces.add(new Awaited(
                    kept.pieces().get(number),
                    pages,
                    pages.stream().map(mount.pages()::expect).toList()));
        }
        for (Awaited each : pieces) {
            if (each.expected().stream().anyMatch(Optional::isPresent)) {
                submit(each, threads);
            }
        }
    }

    private void submit(Awaited piece, Executor threads) {
        try {
            threads.execute(() -> bring(piece));
        } catch (RuntimeException e) {
            // The threads end: readers must not wait for them.
            piece.failed(e);
        }
    }

    private void bring(Awaited piece) {
        try (PackingInput input = mount.open(piece.file())) {
            FileStatus file = piece.file().status();
            ByteBuffer stored = ByteBuffer.allocate((int) file.attributes().length());
            while (stored.hasRemaining()) {
                if (input.readOnce(stored.position(), stored) <= 0) {
                    throw new IOException("a piece ended after %d bytes".formatted(stored.position()));
                }
            }
            ByteBuffer bytes = PieceForm.of(file).decode(stored.array(), StartPack.length(piece.pages()));
            int at = 0;
            for (int i = 0; i < piece.pages().size(); i++) {
                int length = piece.pages().get(i).length();
                if (piece.expected().get(i).isPresent()) {
                    // Memory of its own: a page that stays does not keep those that came with it.
                    ByteBuffer own = ByteBuffer.allocate(length)
                            .put(bytes.slice(at, length))
                            .flip();
                    piece.expected().get(i).get().arrived(own);
                }
                at += length;
            }
        } catch (Throwable e) {
            // An error as well: other readers wait for these pages. They fetch them now, and report an error.
            LOG.warn("a piece of a start is not there: {}", e.toString());
            piece.failed(e);
        }
    }

    /** Keeps a pack in the place of the one that is there; pages of blobs that are gone are left out. */
    void save(StartPlace place, StartPack pack) throws IOException {
        FilePath scratch = layout.scratch(ids.get());
        List<BlobPage> living = new ArrayList<>();
        // The pages of a pack may be more than the cache holds: those of one piece are in memory besides.
        List<ByteBuffer> bytes = new ArrayList<>();
        int number = 0;
        for (BlobPage page : pack.pages()) {
            Optional<ByteBuffer> stored = mount.pages().page(page);
            if (stored.isPresent()) {
                bytes.add(stored.get());
                living.add(page);
            }
            if (bytes.size() == StartPack.pieceSize(number)) {
                writePiece(scratch, number++, bytes);
                bytes.clear();
            }
        }
        if (!bytes.isEmpty()) {
            writePiece(scratch, number++, bytes);
        }
        StartPack left = new StartPack(living, pack.names());
        write(scratch.child(index(number)), left.encode());
        Optional<FileStatus> before = files.stat(place.directory());
        VectorBuilder vector = new VectorBuilder().present(place.proof());
        IndexAttribute.put(left)
                .ifPresent(change -> vector.add(new Operation.SetAttributes(
                        scratch.child(index(left.pieces().size())), change)));
        if (before.isPresent()) {
            vector.delete(place.directory());
        }
        vector.rename(scratch, place.directory(), false);
        if (files.apply(vector.build()) instanceof VectorResult.Refused) {
            // Another server was faster, or the image is gone.
            VectorResult unused =
                    files.apply(new VectorBuilder().delete(scratch).build());
        }
    }

    private void writePiece(FilePath directory, int number, List<ByteBuffer> pages) throws IOException {
        ByteBuffer plain = ByteBuffer.allocate(
                pages.stream().mapToInt(ByteBuffer::remaining).sum());
        pages.forEach(each -> plain.put(each.duplicate()));
        PieceForm.Encoded encoded = PieceForm.encode(plain.array());
        write(
                directory.child(piece(number) + encoded.form().suffix()),
                encoded.bytes().array());
    }

    private void write(FilePath path, byte[] bytes) throws IOException {
        try (PackingOutput out = files.create(path)) {
            out.write(bytes);
        }
    }

    private static String index(int pieces) {
        return "%s%03d".formatted(INDEX, pieces);
    }

    private static String piece(int number) {
        return "piece-%03d".formatted(number);
    }
}
