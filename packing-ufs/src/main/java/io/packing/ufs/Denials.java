package io.packing.ufs;

import alluxio.exception.status.PermissionDeniedException;
import io.packing.bdt.DeniedException;
import java.io.IOException;

/** What this process may not do in a mount, as Alluxio knows it. */
final class Denials {
    private Denials() {}

    /** Makes a file or its bytes. */
    interface Call<T> {
        T of() throws IOException;
    }

    static IOException of(DeniedException denied) {
        return new PermissionDeniedException(denied.getMessage(), denied);
    }

    static <T> T known(Call<T> call) throws IOException {
        try {
            return call.of();
        } catch (DeniedException e) {
            throw of(e);
        }
    }
}
