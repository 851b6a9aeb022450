package io.packing.hadoop;

import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.DelegateToFileSystem;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.FilterFileSystem;

/** The same file system for {@code FileContext}: {@code fs.AbstractFileSystem.packing.impl} names this class. */
public final class PackingAbstractFileSystem extends DelegateToFileSystem {
    public PackingAbstractFileSystem(URI uri, Configuration configuration) throws IOException, URISyntaxException {
        // The one of Hadoop's cache, because nobody closes a FileContext: its own connections would add up. And an
        // authority is needed, but to say so here asks for a default port, and a BDT master has none.
        super(
                uri,
                new FilterFileSystem(FileSystem.get(uri, configuration)),
                configuration,
                PackingHadoopFileSystem.SCHEME,
                false);
    }
}
