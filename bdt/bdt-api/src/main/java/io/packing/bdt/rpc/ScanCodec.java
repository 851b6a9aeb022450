// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.rpc;

import com.google.protobuf.ByteString;
import io.packing.bdt.FileStatus;
import io.packing.bdt.ListedEntry;
import io.packing.bdt.ListedPage;
import io.packing.bdt.LocatedFile;
import io.packing.bdt.NumberedExtent;
import io.packing.bdt.ScanPage;
import io.packing.bdt.ScanPart;
import io.packing.bdt.ScanProblem;
import io.packing.bdt.ScannedBlob;
import io.packing.bdt.ScannedFile;
import io.packing.bdt.ScannedName;
import io.packing.bdt.ScannedQuota;
import io.packing.bdt.ScannedSnapshot;
import io.packing.blob.BlobName;
import io.packing.blob.Codec;
import io.packing.blob.Extent;
import io.packing.blob.FilePath;
import io.packing.blob.FileVersion;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The translation of pages of listings and scans. A wrong message makes it throw an {@link IllegalArgumentException}. */
public final class ScanCodec {
    private ScanCodec() {}

    /** Encodes a page of a listing with the places of files. */
    public static ListReply entries(Optional<ListedPage> page) {
        ListReply.Builder reply = ListReply.newBuilder().setFound(page.isPresent());
        page.ifPresent(found -> reply.setLast(found.isLast()));
        for (ListedEntry entry : page.orElse(ListedPage.END).entries()) {
            FileStatus status = entry.status();
            String name = status.path().name();
            reply.addLocated(
                    entry.placement().isPresent()
                            ? BdtCodec.located(
                                    new LocatedFile(status, entry.placement().get()), name)
                            : LocateReply.newBuilder()
                                    .setStatus(BdtCodec.status(status, name))
                                    .build());
        }
        return reply.build();
    }

    public static ListedPage entries(ListReply reply, FilePath directory) {
        List<ListedEntry> entries = new ArrayList<>(reply.getLocatedCount());
        for (LocateReply each : reply.getLocatedList()) {
            FilePath path = directory.child(each.getStatus().getPath());
            if (each.getStatus().getState() == Status.State.DIRECTORY) {
                entries.add(new ListedEntry(BdtCodec.status(each.getStatus(), path), Optional.empty()));
            } else {
                LocatedFile file = BdtCodec.locate(each, path);
                entries.add(new ListedEntry(file.status(), Optional.of(file.placement())));
            }
        }
        return new ListedPage(entries, reply.getLast());
    }

    public static ScanRequest request(String mount, ScanPart part, String after) {
        return ScanRequest.newBuilder()
                .setMount(mount)
                .setPart(ScanRequest.Part.valueOf(part.name()))
                .setAfter(ByteString.copyFrom(after, StandardCharsets.ISO_8859_1))
                .build();
    }

    public static ScanPart part(ScanRequest request) {
        if (request.getPart() == ScanRequest.Part.UNRECOGNIZED) {
            throw new IllegalArgumentException("unknown part of a table: the peer speaks a newer protocol");
        }
        return ScanPart.valueOf(request.getPart().name());
    }

    public static ScanReply reply(ScanPage page) {
        ScanReply.Builder reply =
                ScanReply.newBuilder().setNext(ByteString.copyFrom(page.next(), StandardCharsets.ISO_8859_1));
        reply.addAllUndated(page.undated());
        page.blobs().forEach(each -> reply.addBlobs(blob(each)));
        Map<FilePath, Integer> directories = new LinkedHashMap<>();
        for (ScannedFile file : page.files()) {
            reply.addFiles(file(file, index(file.directory(), directories)));
        }
        for (ScannedName name : page.names()) {
            reply.addNames(ScannedNameMessage.newBuilder()
                    .setDirectory(index(name.directory(), directories))
                    .setName(name.name())
                    .setFile(name.file())
                    .setCount(name.count()));
        }
        directories.keySet().forEach(each -> reply.addDirectories(each.value()));
        page.snapshots()
                .forEach(each -> reply.addSnapshots(ScannedSnapshotMessage.newBuilder()
                        .setDirectory(each.directory().value())
                        .setName(each.name())));
        page.quotas()
                .forEach(each -> reply.addQuotas(ScannedQuotaMessage.newBuilder()
                        .setDirectory(each.directory().value())
                        .setQuota(QuotaCodec.message(each.quota()))));
        page.problems()
                .forEach(each -> reply.addProblems(ScanProblemMessage.newBuilder()
                        .setKind(each.kind())
                        .setPath(each.path())
                        .setMessage(each.message())
                        .setUntil(each.until())));
        return reply.build();
    }

    private static int index(Optional<FilePath> directory, Map<FilePath, Integer> directories) {
        return directory.isEmpty() ? -1 : directories.computeIfAbsent(directory.get(), each -> directories.size());
    }

    private static ScannedBlobMessage blob(ScannedBlob blob) {
        ScannedBlobMessage.Builder message = ScannedBlobMessage.newBuilder()
                .setNumber(blob.number())
                .setBlob(blob.name().toString())
                .setLength(blob.length())
                .setLive(blob.live())
                .setSettled(blob.settled())
                .setBackedUp(blob.backedUp());
        blob.graceLeft().ifPresent(left -> message.setGraceLeftMillis(left.toMillis()));
        return message.build();
    }

    private static ScannedFileMessage file(ScannedFile file, int directory) {
        ScannedFileMessage.Builder message = ScannedFileMessage.newBuilder()
                .setDirectory(directory)
                .setName(file.name())
                .setId(file.version().id())
                .setGeneration(file.version().generation())
                .setLength(file.length())
                .setState(Status.State.valueOf(file.state().name()))
                .setWorker(file.worker())
                .setPresent(file.present())
                .setLinks(file.links());
        for (NumberedExtent numbered : file.extents()) {
            Extent extent = numbered.extent();
            message.addExtents(ScannedExtentMessage.newBuilder()
                    .setBlob(numbered.blob())
                    .setFileOffset(extent.fileOffset())
                    .setLength(extent.length())
                    .setBlobOffset(extent.blobOffset())
                    .setStoredLength(extent.codec() == Codec.NONE ? 0 : extent.storedLength())
                    .setCodec(extent.codec().number())
                    .setCrc32C(extent.crc32c()));
        }
        return message.build();
    }

    public static ScanPage page(ScanReply reply) {
        List<Optional<FilePath>> directories = reply.getDirectoriesList().stream()
                .map(each -> Optional.of(new FilePath(each)))
                .toList();
        return new ScanPage(
                reply.getBlobsList().stream().map(ScanCodec::blob).toList(),
                reply.getFilesList().stream()
                        .map(each -> file(each, directories))
                        .toList(),
                reply.getSnapshotsList().stream()
                        .map(each -> new ScannedSnapshot(new FilePath(each.getDirectory()), each.getName()))
                        .toList(),
                reply.getNamesList().stream()
                        .map(each -> new ScannedName(
                                directory(each.getDirectory(), directories),
                                each.getName(),
                                each.getFile(),
                                Math.max(1, each.getCount())))
                        .toList(),
                reply.getQuotasList().stream()
                        .map(each ->
                                new ScannedQuota(new FilePath(each.getDirectory()), QuotaCodec.quota(each.getQuota())))
                        .toList(),
                reply.getProblemsList().stream()
                        .map(each ->
                                new ScanProblem(each.getKind(), each.getPath(), each.getMessage(), each.getUntil()))
                        .toList(),
                reply.getUndatedList(),
                reply.getNext().toString(StandardCharsets.ISO_8859_1));
    }

    private static ScannedBlob blob(ScannedBlobMessage m) {
        return new ScannedBlob(
                m.getNumber(),
                BlobName.parse(m.getBlob()),
                m.getLength(),
                m.getLive(),
                m.getSettled(),
                m.hasGraceLeftMillis() ? Optional.of(Duration.ofMillis(m.getGraceLeftMillis())) : Optional.empty(),
                m.getBackedUp());
    }

    private static Optional<FilePath> directory(int index, List<Optional<FilePath>> directories) {
        if (index < -1 || index >= directories.size()) {
            throw new IllegalArgumentException("file names directory %d of %d".formatted(index, directories.size()));
        }
        return index < 0 ? Optional.empty() : directories.get(index);
    }

    private static ScannedFile file(ScannedFileMessage m, List<Optional<FilePath>> directories) {
        if (m.getState() == Status.State.UNRECOGNIZED) {
            throw new IllegalArgumentException("unknown file state: the peer speaks a newer protocol");
        }
        List<NumberedExtent> extents = new ArrayList<>(m.getExtentsCount());
        for (ScannedExtentMessage e : m.getExtentsList()) {
            extents.add(new NumberedExtent(
                    e.getBlob(),
                    new Extent(
                            e.getFileOffset(),
                            e.getLength(),
                            e.getBlobOffset(),
                            e.getStoredLength() == 0 ? e.getLength() : e.getStoredLength(),
                            Codec.of(e.getCodec()),
                            e.getCrc32C())));
        }
        return new ScannedFile(
                directory(m.getDirectory(), directories),
                m.getName(),
                new FileVersion(m.getId(), m.getGeneration()),
                m.getLength(),
                FileStatus.State.valueOf(m.getState().name()),
                m.getWorker(),
                extents,
                m.getPresent(),
                m.getLinks());
    }
}
