package io.packing.bdt.master;

import java.io.IOException;

/** An open mount, as the service needs it. Thread-safe. */
interface ServedMount {
    String id();

    MountTable table();

    /** Uploads whatever a recovery would miss. */
    void checkpoint() throws IOException;
}
