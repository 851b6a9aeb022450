package io.packing.bdt;

import io.packing.blob.FilePath;
import io.packing.blob.FileVersion;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * A mount's table for a front door with its own exceptions for a denied right ({@link DeniedException}) and for a quota
 * ({@link QuotaExceededException}).
 */
public final class TranslatedBdt implements Bdt {
    private final Bdt bdt;
    private final Function<IOException, IOException> known;

    /** @param known makes the exceptions of the door */
    public TranslatedBdt(Bdt bdt, Function<IOException, IOException> known) {
        this.bdt = bdt;
        this.known = known;
    }

    private interface Call<T> {
        T of(Bdt bdt) throws IOException;
    }

    private <T> T call(Call<T> call) throws IOException {
        try {
            return call.of(bdt);
        } catch (DeniedException | QuotaExceededException e) {
            throw known.apply(e);
        }
    }

    @Override
    public String encryptionKey() {
        return bdt.encryptionKey();
    }

    @Override
    public Map<String, String> options() {
        return bdt.options();
    }

    @Override
    public Optional<FileStatus> stat(FilePath path) throws IOException {
        return call(to -> to.stat(path));
    }

    @Override
    public Optional<Map<String, ExtendedValue>> extended(FilePath path) throws IOException {
        return call(to -> to.extended(path));
    }

    @Override
    public FileStatus nearest(FilePath path) throws IOException {
        return call(to -> to.nearest(path));
    }

    @Override
    public FileStatus nearestToCreate(FilePath path) throws IOException {
        return call(to -> to.nearestToCreate(path));
    }

    @Override
    public boolean access(FilePath path, int rights) throws IOException {
        return call(to -> to.access(path, rights));
    }

    @Override
    public Optional<ReadableBytes> readable(FilePath path, FileVersion version, String user, long offset)
            throws IOException {
        return call(to -> to.readable(path, version, user, offset));
    }

    @Override
    public Optional<LocatedFile> locate(FilePath path) throws IOException {
        return call(to -> to.locate(path));
    }

    @Override
    public Optional<LocatedFile> locate(FileVersion version) throws IOException {
        return call(to -> to.locate(version));
    }

    @Override
    public Optional<LocatedFile> locate(FileVersion version, FilePath openedAs) throws IOException {
        return call(to -> to.locate(version, openedAs));
    }

    @Override
    public Optional<LocatedFile> locateForUsers(FileVersion version) throws IOException {
        return call(to -> to.locateForUsers(version));
    }

    @Override
    public boolean withholdsPlaces() {
        return bdt.withholdsPlaces();
    }

    @Override
    public Optional<List<FileStatus>> list(FilePath directory, String startAfter, int limit) throws IOException {
        return call(to -> to.list(directory, startAfter, limit));
    }

    @Override
    public Optional<ListedPage> listLocated(FilePath directory, String startAfter, int limit) throws IOException {
        return call(to -> to.listLocated(directory, startAfter, limit));
    }

    /** Looks paths up; each denied path has its denial in its own result, which is not translated. */
    @Override
    public List<FoundEntry> find(List<FilePath> paths) throws IOException {
        return call(to -> to.find(paths));
    }

    @Override
    public ScanPage scan(ScanPart part, String after) throws IOException {
        return call(to -> to.scan(part, after));
    }

    @Override
    public Outcome mkdir(FilePath path, DirectoryAttributes attributes, boolean createParents) throws IOException {
        return call(to -> to.mkdir(path, attributes, createParents));
    }

    @Override
    public Outcome delete(FilePath path, boolean recursive) throws IOException {
        return call(to -> to.delete(path, recursive));
    }

    @Override
    public Outcome rename(FilePath from, FilePath to) throws IOException {
        return call(table -> table.rename(from, to));
    }

    @Override
    public Outcome setAttributes(FilePath path, AttributeChange change) throws IOException {
        return call(to -> to.setAttributes(path, change));
    }

    @Override
    public Optional<Quota> quota(FilePath directory) throws IOException {
        return call(to -> to.quota(directory));
    }

    @Override
    public Outcome setQuota(FilePath directory, QuotaChange change) throws IOException {
        return call(to -> to.setQuota(directory, change));
    }

    @Override
    public VectorResult apply(OperationVector vector) throws IOException {
        return call(to -> to.apply(vector));
    }

    @Override
    public WorkerSession register(WorkerRegistration registration) throws IOException {
        return call(to -> to.register(registration));
    }

    @Override
    public List<WorkerInfo> workers() throws IOException {
        return call(Bdt::workers);
    }

    @Override
    public BdtStatistics statistics() throws IOException {
        return call(Bdt::statistics);
    }

    @Override
    public void checkpoint() throws IOException {
        boolean unused = call(to -> {
            to.checkpoint();
            return true;
        });
    }

    @Override
    public void sealNow() throws IOException {
        boolean unused = call(to -> {
            to.sealNow();
            return true;
        });
    }

    @Override
    public void close() {
        bdt.close();
    }
}
