// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.bdt.Operation;
import io.packing.bdt.OperationVector;
import io.packing.bdt.Reclaim;
import io.packing.bdt.VectorResult;
import io.packing.bdt.WorkerSession;
import io.packing.blob.FileAttributes;
import io.packing.blob.FilePath;
import io.packing.blob.FileVersion;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** A mount whose table is lost, with files that come back beside others. */
abstract class KeptBesideFixture extends LostFilesFixture {
    static final FileAttributes FILE = new FileAttributes(8, 1, "u", "g", 0644);

    final void clone(String from, String to) throws IOException {
        assertThat(table.apply(OperationVector.of(new Operation.CloneDirectory(new FilePath(from), new FilePath(to)))))
                .isInstanceOf(VectorResult.Applied.class);
    }

    /** Returns a file of a worker that no master has answered a claim of. */
    final Reclaim unanswered(String worker, String path) throws IOException {
        return new Reclaim(new FileVersion(register(worker).newFileId(), 0), new FilePath(path), FILE);
    }

    /** Takes a worker's file back, and pushes it, as it has it now. */
    final Reclaim comeBack(String worker, Reclaim file) throws IOException {
        return comeBack(worker, List.of(file)).get(0);
    }

    final List<Reclaim> comeBack(String worker, List<Reclaim> files) throws IOException {
        WorkerSession back = register(worker);
        List<Optional<FileVersion>> versions = back.reclaim(files);
        back.reclaimed();
        List<Reclaim> known = new ArrayList<>();
        for (int i = 0; i < files.size(); i++) {
            known.add(new Reclaim(
                    versions.get(i).orElseThrow(),
                    files.get(i).path(),
                    files.get(i).attributes()));
        }
        buffered.addAll(known);
        push(worker, back, true);
        return known;
    }

    static String beside(Reclaim file) {
        return file.path() + ".recovered-" + file.version().id();
    }

    final void recoverFromTheBackupBefore() throws IOException {
        table.checkpoint();
        List<String> backups = stores.objects.keys("bdt/backup-");
        stores.objects.damage(backups.get(backups.size() - 1));
        loseMaster();
    }

    /** Loses the master twice: a worker's file comes back after the first loss, and the second recovery knows of that by the journal only. */
    final Reclaim loseTwice(String worker, Reclaim file) throws IOException {
        loseMaster();
        Reclaim kept = comeBack(worker, file);
        Map<String, FileVersion> before = versions();
        recoverFromTheBackupBefore();
        assertThat(versions()).isEqualTo(before);
        return kept;
    }

    /** Returns the versions of all files by path. */
    final Map<String, FileVersion> versions() throws IOException {
        Map<String, FileVersion> found = new TreeMap<>();
        names().values().stream()
                .filter(each -> !each.isDirectory())
                .forEach(each -> found.put(each.path().value(), each.version()));
        return found;
    }
}
