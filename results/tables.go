package results

// TableName returns "cells".
func (Cell) TableName() string { return "cells" }

// TableName returns "trials".
func (Trial) TableName() string { return "trials" }

// TableName returns "services".
func (Service) TableName() string { return "services" }

// TableName returns "edges".
func (Edge) TableName() string { return "edges" }

// TableName returns "windows".
func (Window) TableName() string { return "windows" }

// Table describes a table.
type Table struct {
	Name    string   // base name of its file
	About   string   // what one row is
	Columns []Column // in the order of the file
}

// Describe returns the description of T's table; about says what one row is.
func Describe[T Row](about string) Table {
	return Table{Name: tableName[T](), About: about, Columns: ColumnsOf[T]()}
}

// Tables returns the tables that a run writes, in the order in which documents show them.
func Tables() []Table {
	return []Table{
		Describe[Cell]("one cell: a point of a design. The other tables refer to it by `experiment` and `cell`."),
		Describe[Trial]("one trial: a seeded replication of a cell. Requests and client attempts are summed over the model's clients."),
		Describe[Service]("one service in one trial."),
		Describe[Edge]("one caller-callee pair in one trial."),
		Describe[Window]("one station (a client or a service) in one window of one trial."),
	}
}
