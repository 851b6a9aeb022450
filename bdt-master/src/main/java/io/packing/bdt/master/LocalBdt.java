// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master;

import io.packing.bdt.AttributeChange;
import io.packing.bdt.Bdt;
import io.packing.bdt.BdtStatistics;
import io.packing.bdt.BdtUser;
import io.packing.bdt.DeniedException;
import io.packing.bdt.DirectoryAttributes;
import io.packing.bdt.ExtendedValue;
import io.packing.bdt.FencedException;
import io.packing.bdt.FileStatus;
import io.packing.bdt.FoundEntry;
import io.packing.bdt.ListedPage;
import io.packing.bdt.LocatedFile;
import io.packing.bdt.MountHomes;
import io.packing.bdt.OperationVector;
import io.packing.bdt.Outcome;
import io.packing.bdt.OwnNames;
import io.packing.bdt.Quota;
import io.packing.bdt.QuotaChange;
import io.packing.bdt.ReadableBytes;
import io.packing.bdt.ScanPage;
import io.packing.bdt.ScanPart;
import io.packing.bdt.VectorResult;
import io.packing.bdt.WorkerInfo;
import io.packing.bdt.WorkerRegistration;
import io.packing.bdt.WorkerSession;
import io.packing.bdt.master.table.Table;
import io.packing.bdt.master.table.Waiting;
import io.packing.bdt.master.table.read.Extended;
import io.packing.bdt.master.table.read.Permissions;
import io.packing.bdt.master.table.row.SessionId;
import io.packing.blob.FilePath;
import io.packing.blob.FileVersion;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/** A mount's table used inside the master's own process, without gRPC. */
final class LocalBdt implements Bdt {
    /** The rights of users for whom a worker in this process asks. */
    interface UserRights {
        /** Refuses: this table knows no user. */
        UserRights NONE = user -> {
            throw new DeniedException(
                    "Permission denied: user=%s is not known inside the master's process; ask the master by its port"
                            .formatted(user));
        };

        Permissions of(String user) throws DeniedException;
    }

    private final Mount opened;
    private final Permissions permissions;
    private final UserRights users;

    /** For a caller that may do everything. */
    LocalBdt(Mount opened) {
        this(opened, Permissions.UNCHECKED);
    }

    /** @param permissions of the caller on files */
    LocalBdt(Mount opened, Permissions permissions) {
        this(opened, permissions, UserRights.NONE);
    }

    LocalBdt(Mount opened, Permissions permissions, UserRights users) {
        this.opened = opened;
        this.permissions = permissions;
        this.users = users;
    }

    /** Returns true if the mount is this master's, and no other writer can have changed its table. */
    boolean isCurrent() {
        Mount mount = opened.latest();
        return mount.lease().lost().isEmpty() && mount.writer().isCurrent();
    }

    /** The table as long as it is this master's: after that it is old. */
    private Table table() throws FencedException {
        return table(permissions);
    }

    private Table table(Permissions rights) throws FencedException {
        Mount mount = opened.latest();
        Optional<FencedException> lost = mount.lease().lost();
        if (lost.isPresent()) {
            throw new FencedException(String.valueOf(lost.get().getMessage()), lost.get());
        }
        return mount.table().as(rights);
    }

    /** Returns what a user may do; without one what the caller may. */
    private Permissions rights(Optional<BdtUser> user) throws DeniedException {
        if (user.isEmpty()) {
            return permissions;
        }
        return user.get().superuser()
                ? Permissions.UNCHECKED
                : users.of(user.get().name());
    }

    @Override
    public String encryptionKey() {
        return opened.latest().encryptionKey();
    }

    @Override
    public Map<String, String> options() {
        return opened.latest().terms().all();
    }

    @Override
    public MountHomes homes(boolean again) {
        return opened.latest().evacuation().homes();
    }

    /** Callers in the master's process learn all places. */
    @Override
    public boolean withholdsPlaces() {
        return false;
    }

    @Override
    public Optional<FileStatus> stat(FilePath path) throws IOException {
        return table().stat(path);
    }

    @Override
    public Optional<Map<String, ExtendedValue>> extended(FilePath path) throws IOException {
        return table().extended(path).map(Extended::values);
    }

    @Override
    public FileStatus nearest(FilePath path) throws IOException {
        return table().nearest(path);
    }

    @Override
    public FileStatus nearestToCreate(FilePath path) throws IOException {
        return table().nearestToCreate(path);
    }

    @Override
    public boolean access(FilePath path, int rights) throws IOException {
        return table().access(path, rights);
    }

    @Override
    public Optional<ReadableBytes> readable(FilePath path, FileVersion version, String user, long offset)
            throws IOException {
        return table(users.of(user)).readable(path, version, OptionalLong.of(offset));
    }

    @Override
    public Optional<LocatedFile> locate(FileVersion version, FilePath openedAs) throws IOException {
        return table().locate(version, openedAs);
    }

    @Override
    public Optional<LocatedFile> locate(FilePath path) throws IOException {
        return table().locate(path);
    }

    @Override
    public Optional<LocatedFile> locate(FileVersion version) throws IOException {
        return table().locate(version);
    }

    @Override
    public Optional<LocatedFile> locateForUsers(FileVersion version) throws IOException {
        return table(Permissions.UNCHECKED).locate(version).map(LocatedFile::nameless);
    }

    @Override
    public Optional<List<FileStatus>> list(FilePath directory, String startAfter, int limit) throws IOException {
        return table().list(directory, startAfter, limit);
    }

    @Override
    public Optional<ListedPage> listLocated(FilePath directory, String startAfter, int limit) throws IOException {
        return table().listLocated(directory, startAfter, limit);
    }

    @Override
    public OwnNames ownNames(FilePath clone, FilePath source, FilePath after, int limit) throws IOException {
        return table().ownNames(clone, source, after, limit)
                .orElseThrow(() -> new FileNotFoundException("%s or %s: no such directory".formatted(clone, source)));
    }

    @Override
    public List<FoundEntry> find(List<FilePath> paths) throws IOException {
        return find(table(), paths);
    }

    private static List<FoundEntry> find(Table table, List<FilePath> paths) throws IOException {
        List<FoundEntry> found = new ArrayList<>(table.find(paths));
        while (found.size() < paths.size()) {
            found.addAll(table.find(paths.subList(found.size(), paths.size())));
        }
        return found;
    }

    @Override
    public Optional<List<FoundEntry>> findForUser(List<FilePath> paths, BdtUser user) throws IOException {
        Permissions rights = rights(Optional.of(user));
        return Optional.of(find(table(rights), paths));
    }

    @Override
    public ScanPage scan(ScanPart part, String after) throws IOException {
        return table().scan(part, after, opened.latest().collectionTimes());
    }

    @Override
    public Outcome mkdir(FilePath path, DirectoryAttributes attributes, boolean createParents) throws IOException {
        return Waiting.on(table().mkdir(0, path, attributes, createParents));
    }

    @Override
    public Outcome delete(FilePath path, boolean recursive) throws IOException {
        return Waiting.on(table().delete(0, path, recursive));
    }

    @Override
    public Outcome rename(FilePath from, FilePath to) throws IOException {
        return Waiting.on(table().rename(0, from, to));
    }

    @Override
    public Outcome setAttributes(FilePath path, AttributeChange change) throws IOException {
        return Waiting.on(table().setAttributes(0, path, change));
    }

    @Override
    public Optional<Quota> quota(FilePath directory) throws IOException {
        return table().quota(directory);
    }

    @Override
    public Outcome setQuota(FilePath directory, QuotaChange change) throws IOException {
        return Waiting.on(table().setQuota(0, directory, change));
    }

    @Override
    public VectorResult apply(OperationVector vector) throws IOException {
        return Waiting.on(table().apply(0, vector));
    }

    @Override
    public WorkerSession register(WorkerRegistration registration) throws IOException {
        SessionId session = Waiting.on(table().register(registration));
        return new LocalWorkerSession(opened::latest, session, this::rights);
    }

    @Override
    public List<WorkerInfo> workers() {
        return opened.latest().table().workers();
    }

    @Override
    public BdtStatistics statistics() {
        return opened.latest().table().statistics();
    }

    @Override
    public void sealNow() {
        opened.latest().table().sealNow();
    }

    @Override
    public void checkpoint() throws IOException {
        opened.latest().checkpoint();
    }

    /** Nothing to release: the table belongs to the master. */
    @Override
    public void close() {}
}
