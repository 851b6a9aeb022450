// SPDX-License-Identifier: Apache-2.0
package io.packing.ufs;

import alluxio.exception.status.PermissionDeniedException;
import alluxio.exception.status.ResourceExhaustedException;
import io.packing.bdt.DeniedException;
import io.packing.bdt.QuotaExceededException;
import java.io.IOException;

/** Translates denied rights and exceeded quotas into Alluxio's exceptions. */
final class AlluxioRefusals {
    private AlluxioRefusals() {}

    /** Makes a file or its bytes. */
    interface Call<T> {
        T of() throws IOException;
    }

    static IOException of(IOException refusal) {
        if (refusal instanceof DeniedException) {
            return new PermissionDeniedException(refusal.getMessage(), refusal);
        }
        return refusal instanceof QuotaExceededException
                ? new ResourceExhaustedException(refusal.getMessage(), refusal)
                : refusal;
    }

    static <T> T known(Call<T> call) throws IOException {
        try {
            return call.of();
        } catch (DeniedException | QuotaExceededException e) {
            throw of(e);
        }
    }
}
