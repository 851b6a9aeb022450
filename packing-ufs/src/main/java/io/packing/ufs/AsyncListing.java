// SPDX-License-Identifier: Apache-2.0
package io.packing.ufs;

import alluxio.AlluxioURI;
import alluxio.file.options.DescendantType;
import alluxio.underfs.UfsLoadResult;
import alluxio.underfs.UfsStatus;
import alluxio.underfs.UnderFileSystem;
import alluxio.underfs.options.ListOptions;
import alluxio.util.io.PathUtils;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The listing of Alluxio's second metadata sync: the path itself, then all entries below it, sorted by full name.
 * Alluxio's own version asserts that an object store has no real directories.
 */
final class AsyncListing {
    private final UnderFileSystem ufs;
    private final Executor threads;

    AsyncListing(UnderFileSystem ufs, Executor threads) {
        this.ufs = ufs;
        this.threads = threads;
    }

    void list(
            String path,
            DescendantType depth,
            boolean withSelf,
            Consumer<UfsLoadResult> onComplete,
            Consumer<Throwable> onError) {
        threads.execute(() -> {
            UfsLoadResult result;
            try {
                result = toResult(collect(path, depth, withSelf));
            } catch (IOException | RuntimeException | Error e) {
                // Alluxio waits for one of the two.
                onError.accept(e);
                return;
            }
            onComplete.accept(result);
        });
    }

    private List<UfsStatus> collect(String path, DescendantType depth, boolean withSelf) throws IOException {
        List<UfsStatus> found = new ArrayList<>();
        if (withSelf || depth == DescendantType.NONE) {
            UfsStatus self;
            try {
                self = ufs.getStatus(path);
            } catch (FileNotFoundException e) {
                return found;
            }
            found.add(self);
            if (self.isFile() || depth == DescendantType.NONE) {
                return found;
            }
        }
        UfsStatus[] below = ufs.listStatus(path, ListOptions.defaults().setRecursive(depth == DescendantType.ALL));
        if (below != null) {
            Arrays.sort(below, Comparator.comparing(UfsStatus::getName));
            for (UfsStatus status : below) {
                found.add(status.setName(PathUtils.concatPath(/* base= */ path, /* path= */ status.getName())));
            }
        }
        return found;
    }

    private static UfsLoadResult toResult(List<UfsStatus> found) {
        boolean firstIsFile = !found.isEmpty() && found.get(0).isFile();
        return new UfsLoadResult(
                found.stream(), found.size(), null, last(found), /* isTruncated= */ false, firstIsFile, false);
    }

    private static @Nullable AlluxioURI last(List<UfsStatus> found) {
        return found.isEmpty()
                ? null
                : new AlluxioURI(found.get(found.size() - 1).getName());
    }
}
