// SPDX-License-Identifier: Apache-2.0
package io.packing.lab.tables;

import com.google.common.collect.Iterables;
import io.packing.hadoop.IcebergCommit;
import io.packing.hadoop.IcebergGroup;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.iceberg.Table;
import org.apache.iceberg.exceptions.CommitFailedException;

/** Two tables of Iceberg that have each row both, or neither: a commit changes both by one vector. */
final class IcebergPairTable implements RowTable {
    private final Configuration configuration;
    private final List<String> locations;
    private final IcebergGroup group;

    IcebergPairTable(Configuration configuration, String location) {
        this.configuration = configuration;
        locations = List.of(location + "/left", location + "/right");
        group = new IcebergGroup(configuration, locations);
    }

    @Override
    public void create() {
        locations.forEach(each -> new IcebergRowTable(configuration, each).create());
    }

    @Override
    public Append prepare(long row) throws IOException {
        IcebergCommit commit = group.begin();
        for (String each : locations) {
            IcebergRowTable.append(commit.table(each), each, row).commit();
        }
        return () -> {
            try (commit) {
                commit.apply();
                return true;
            } catch (CommitFailedException e) {
                return false;
            }
        };
    }

    /** {@inheritDoc} A row that only one of the tables has is a failure. */
    @Override
    public List<Long> rows() throws IOException {
        List<Table> both = group.load();
        List<Long> left = IcebergRowTable.rows(both.get(0));
        List<Long> right = IcebergRowTable.rows(both.get(1));
        if (!left.stream().sorted().toList().equals(right.stream().sorted().toList())) {
            throw new IOException(
                    "one table of two was changed alone: %,d rows and %,d rows".formatted(left.size(), right.size()));
        }
        return left;
    }

    @Override
    public long commits() {
        List<Table> both = group.load();
        return Math.max(
                Iterables.size(both.get(0).snapshots()),
                Iterables.size(both.get(1).snapshots()));
    }
}
