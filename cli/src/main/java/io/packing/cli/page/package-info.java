/** Measurements of the daemons' page: how soon a browser shows it, and what it costs those who write meanwhile. */
@NullMarked
package io.packing.cli.page;

import org.jspecify.annotations.NullMarked;
