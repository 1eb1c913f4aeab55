-- Models in the database: functions that train, load and apply them, and the table that keeps them.

CREATE TABLE IF NOT EXISTS models (
  id INTEGER GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  kind VARCHAR NOT NULL,
  size INTEGER NOT NULL,            -- trees, or iterations
  rows BIGINT NOT NULL,             -- of training
  model BLOB NOT NULL,              -- pickled
  score DOUBLE,                     -- the share of test rows that it gets right
  made TIMESTAMP DEFAULT now()
);

-- Trains a model of each group of rows, which is pickled.
CREATE OR REPLACE AGGREGATE train(kind VARCHAR, size INTEGER, age DOUBLE, gender DOUBLE, ethnicity DOUBLE, urban DOUBLE, lean DOUBLE, label DOUBLE)
RETURNS BLOB LANGUAGE PYTHON STRICT {
    import pickle
    from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier
    from sklearn.linear_model import LogisticRegression
    made = {
        'forest': lambda n: RandomForestClassifier(n_estimators=n, max_depth=10, random_state=1),
        'boosted': lambda n: HistGradientBoostingClassifier(max_iter=n, random_state=1),
        'logistic': lambda n: LogisticRegression(max_iter=n),
    }[kind[0]](int(size[0]))
    made.fit(np.column_stack((age, gender, ethnicity, urban, lean)), label)
    return pickle.dumps(made)
};

-- Unpickles models for this connection, and returns their sizes. What is loaded stays until the connection closes.
CREATE OR REPLACE FUNCTION load_model(id INTEGER, model BLOB) RETURNS BIGINT LANGUAGE PYTHON STRICT VOLATILE {
    import pickle
    loaded = _shared.setdefault('models', {})
    for number, pickled in zip(id.tolist(), model):
        if number not in loaded:
            loaded[number] = pickle.loads(pickled)
    return [len(pickled) for pickled in model]
};

-- Applies loaded models: the probability of label 1. Rows may name different models.
CREATE OR REPLACE FUNCTION probability(id INTEGER, age DOUBLE, gender DOUBLE, ethnicity DOUBLE, urban DOUBLE, lean DOUBLE)
RETURNS DOUBLE LANGUAGE PYTHON MAP STRICT STABLE {
    id, age, gender, ethnicity, urban, lean = np.broadcast_arrays(id, age, gender, ethnicity, urban, lean)
    features = np.column_stack((age, gender, ethnicity, urban, lean))
    made = np.empty(len(age))
    for number in np.unique(id):
        if int(number) not in _shared.get('models', {}):
            raise KeyError(f'model {number} is not loaded: SELECT load_model(id, model) FROM models WHERE id = {number}')
        rows = id == number
        made[rows] = _shared['models'][int(number)].predict_proba(features[rows])[:, 1]
    return made
};
